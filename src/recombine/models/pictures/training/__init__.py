"""Training of the three stages: detector, grounding, questions."""
