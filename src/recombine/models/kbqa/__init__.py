"""Parsers of questions over a knowledge base: one network, two ways to answer with it (GrailQA, section 4)."""
