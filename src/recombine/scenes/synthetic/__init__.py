"""The synthetic world: scenes of an ontology, their noisy annotation, and their pictures."""
