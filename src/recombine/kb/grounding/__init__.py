"""Entities of a knowledge base in the place of placeholders, so that questions have answers (CFQ paper, 3.2)."""
