"""Logical forms: terms, and rules matched with them."""
