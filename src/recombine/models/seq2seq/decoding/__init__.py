"""Decoding, batched over examples and replicas."""
