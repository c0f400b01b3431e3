"""Test examples that are nearly in train: almost the words of the question and almost the tokens of the program."""
