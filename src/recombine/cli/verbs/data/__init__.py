"""Verbs that make data and look at it."""
