"""Verbs for work by people."""
