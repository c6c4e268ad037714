"""Accounts of risk that last, and bounds across histories."""
