"""NQG: a grammar induced from examples, a scorer of its derivations, and a decoder (NQG-T5 paper, §4 and App. A)."""
