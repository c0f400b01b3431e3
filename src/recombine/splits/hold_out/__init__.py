"""Splits that hold structures or pairs of rules out of train."""
