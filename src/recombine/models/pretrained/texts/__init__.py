"""Texts as a checkpoint takes and gives them."""
