"""Unification grammars with logical forms, inference, resolution and knowledge (CFQ paper, Appendices I to L)."""
