"""What verbs are given, made ready for them: data with its split, several splits, correctness, settings of models."""
