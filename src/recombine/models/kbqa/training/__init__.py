"""Training of the network of a parser of questions (GrailQA, App. D)."""
