"""What the proofs rest on, checked from the compiled files and not from what the build says."""
