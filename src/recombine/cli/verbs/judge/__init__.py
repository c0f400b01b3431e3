"""Verbs that judge predictions."""
