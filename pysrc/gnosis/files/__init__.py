"""Files of every kind: opening input, writing output, the one grammar of numbers and records, chains of lines, pages."""
