"""The form of the CFQ release: one JSON array of items with rule trees, read and written piece by piece."""
