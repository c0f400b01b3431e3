"""Verbs that explain a split, and select examples."""
