"""Handing work out, taking answers, and how batches end."""
