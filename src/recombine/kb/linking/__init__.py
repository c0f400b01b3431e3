"""Entities and literals that a question mentions: finding mentions, candidates for each, and the choice among them."""
