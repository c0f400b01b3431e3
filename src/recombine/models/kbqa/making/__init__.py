"""Questions and a knowledge base made arrays: the schema, links, vocabularies, candidates and targets."""
