"""Intervals, tests, ranks and correlations."""
