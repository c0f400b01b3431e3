"""The ontology of a knowledge base: its classes and relations, and what follows from having a relation."""
