"""Questions that a parser is carried over to, and from (GrailQA, section 5.5). Needs no torch."""
