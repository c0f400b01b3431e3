"""Candidate logical forms for a question: all that lie within two hops of what is linked in it."""
