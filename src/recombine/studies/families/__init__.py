"""The models that a study can name, each with a way to train it."""
