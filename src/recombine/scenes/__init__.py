"""Scenes: objects with attributes and relations, and the questions that can be asked of several of them (COVR)."""
