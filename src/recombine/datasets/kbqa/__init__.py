"""The forms in which data sets of questions about knowledge bases are released."""
