"""What a campaign says of itself: rows, counts, the log, and whether all follows from the responses."""
