"""The options of NQG's parser, besides those of its induction and its neural scorer. Importing this needs no numba."""

from __future__ import annotations

from dataclasses import dataclass

from recombine.options import option

SCORERS = ("loglinear", "neural")
"""Kinds of scorers."""
FEATURES = ("pairs", "shapes", "borders")
"""Kinds of features of the log-linear scorer besides the rules themselves; see `scoring/loglinear.py`."""


@dataclass(kw_only=True)
class NqgOptions:
    """What joins grammars, scores derivations, and decides on an output."""

    members: int = option(2, "The starts whose rules are joined.")
    reluctance: float = option(
        2.0, "How far below 0 the prior of a rule is centred that the grammar of lowest codelength lacks."
    )
    """Where the training examples do not say which of two derivations is right, the one with rules of that grammar is
    taken."""
    scorer: str = option("loglinear", "What scores derivations, loglinear or neural.", choices=SCORERS)
    prior: float = option(0.3, "The precision of the prior on weights.")
    """Of the Gaussian prior on the scorer's."""
    steps: int = option(100, "The most steps of the log-linear scorer's training.")
    shortest: int = option(
        500, "The scorer learns from this many of the shortest distinct examples, and from as many others at random."
    )
    strict: bool = option(False, "Abstain where the best derivation's target is not valid.")
    limit: int = option(200, "The most derivations that are tried for a valid target.")
