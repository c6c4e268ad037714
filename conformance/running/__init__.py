"""What lanes share: cases and corpus, generators, checks, shrinking, nearness, reports."""
