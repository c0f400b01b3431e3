"""Phrases that a split holds out, and which texts have them."""
