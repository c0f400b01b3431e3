"""Kinds of checkpoints: encoder-decoders, causal models, and encoders with a copying decoder."""
