"""Levels of generalization: i.i.d., compositional and zero-shot (GrailQA, section 2.2)."""
