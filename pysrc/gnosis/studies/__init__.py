"""Demonstrations and races that are no part of serving: what a gate changes, measured."""
