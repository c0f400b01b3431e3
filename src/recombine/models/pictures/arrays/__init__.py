"""What picture models learn from, as arrays: pictures with regions, texts with the meaning of nouns, questions."""
