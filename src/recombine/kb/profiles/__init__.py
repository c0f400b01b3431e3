"""Profiles: what the names of a knowledge base look like, and which of its predicates say what, as data files."""
