"""Templates of questions over a knowledge base: what a walk over its ontology can ask, and their groundings."""
