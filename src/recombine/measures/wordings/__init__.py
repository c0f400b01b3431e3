"""How alike the wordings of questions are: shared words, shared pairs of words, and edits of characters."""
