"""What comes in from files: items, controls, and answers that were given elsewhere."""
