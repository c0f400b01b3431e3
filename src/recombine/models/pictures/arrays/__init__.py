"""What picture models learn from, as arrays: pictures with regions, descriptions with what their nouns mean, questions."""
