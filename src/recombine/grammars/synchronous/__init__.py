"""Synchronous context-free grammars (`.scfg` files), as COVR's."""
