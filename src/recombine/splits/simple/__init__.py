"""Splits that need no search: at random, by length, pattern, template, as published."""
