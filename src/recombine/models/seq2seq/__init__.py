"""Sequence-to-sequence baselines of the CFQ paper, trained many at a time.

Modules here need torch and numpy alone, besides `recombine.errors`, `recombine.files` and `recombine.seeds`, so that
they run on a machine with a GPU and nothing else.
"""
