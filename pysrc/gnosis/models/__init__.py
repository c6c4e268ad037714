"""Files of weights: headers, tensors, parts, decoding, and the packages that bring models."""
