"""The page of a set of questions over a knowledge base, and the numbers on it."""
