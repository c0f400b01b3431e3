"""SPARQL endpoints over HTTP: whole answers, or errors."""
