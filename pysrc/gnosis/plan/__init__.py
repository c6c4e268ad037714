"""A code for each tensor of a model, chosen by what it does to the outputs at a given size."""
