"""Logical forms over a knowledge base in three notations: S-expression, graph query and SPARQL."""
