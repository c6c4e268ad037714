"""An original model against quantized files of it: weights, outputs on text, and how sure the figures are."""
