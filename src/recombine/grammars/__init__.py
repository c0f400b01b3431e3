"""Grammars as data: synchronous rules in text files, what they generate, and the chart parser that reads it back."""
