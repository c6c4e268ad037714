"""Faults put in on purpose: the lists (one .yaml a stem), the plan, builds, lanes and worker that try them."""
