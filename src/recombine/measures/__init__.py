"""Numbers about a split: divergences, coverage, lengths, duplicates."""
