"""What picture models learn from, as arrays: pictures with regions, descriptions with the meaning of nouns, questions."""
