"""Answers of stores that are kept between commands, by knowledge base and query."""
