"""Answers of a trained network: the best of given candidates, or a form written word by word (GrailQA, section 4.4)."""
