"""Certificates and records made again: by the exact gates, by Lean's interpreter, by its kernel."""
