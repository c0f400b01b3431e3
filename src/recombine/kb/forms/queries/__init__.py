"""Patterns written as SPARQL: in two semantics, and as a store is asked."""
