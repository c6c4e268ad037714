"""The hot paths against their peers: same data, one run, taking turns."""
