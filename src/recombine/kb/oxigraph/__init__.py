"""Stores that pyoxigraph keeps, in memory or on disk: any SPARQL over triples."""
