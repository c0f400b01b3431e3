"""Splits found by search: maximum, lowest or wanted compound divergence."""
