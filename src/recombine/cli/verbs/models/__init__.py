"""Verbs that train parsers and predict with them."""
