"""Data that has no public address, from the raw files of those who have them."""
