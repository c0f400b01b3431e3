"""Verbs that run whole studies."""
