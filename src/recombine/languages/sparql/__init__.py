"""SPARQL as the CFQ data writes it."""
