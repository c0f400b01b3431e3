"""Recombine."""
