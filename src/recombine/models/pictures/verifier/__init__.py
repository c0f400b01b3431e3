"""A verifier that looks: whether a picture holds a sub-graph that its annotation does not tell of (COVR, App. B)."""
