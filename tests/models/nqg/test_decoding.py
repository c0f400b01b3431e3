"""Decoding: next best until valid, or abstain."""

from __future__ import annotations

from recombine.models.nqg.decoding import Decoder
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.scoring.loglinear import LogLinear, surroundings, train

GRAMMAR = Qcfg.parse("x ### A\nx ### B\nx ### C\ny NT_1 ### f ( NT_1 )")


def decoder(*weights: float, **options) -> Decoder:  # type: ignore[no-untyped-def]
    import numpy as np

    empty = train(GRAMMAR.rules, [])
    scorer = LogLinear(surroundings(GRAMMAR.rules), np.array(weights), empty.keys, empty.weights)
    return Decoder(ChartParser(GRAMMAR), scorer, **options)


def test_the_best_target_comes_first() -> None:
    found = decoder(0.0, 2.0, 1.0, 0.0).decode("y x")
    assert (found.target, found.tried) == ("f ( B )", 1)
    assert found.derivation is not None
    assert (found.derivation.rule, found.derivation.children[0].rule) == (3, 1)
    assert decoder(0.0, 2.0, 1.0, 0.0).best("x", 5) == [("B", 2.0), ("C", 1.0), ("A", 0.0)]


def test_next_best_until_valid() -> None:
    found = decoder(0.0, 2.0, 1.0, 0.0, valid=lambda target: target == "A").decode("x")
    assert (found.target, found.tried) == ("A", 3)


def test_strict_abstains_after_the_first() -> None:
    found = decoder(0.0, 2.0, 1.0, 0.0, valid=lambda target: target == "A", strict=True).decode("x")
    assert (found.target, found.tried) == (None, 1)


def test_the_limit_abstains() -> None:
    found = decoder(0.0, 2.0, 1.0, 0.0, valid=lambda target: target == "A", limit=2).decode("x")
    assert (found.target, found.tried) == (None, 2)


def test_no_derivation() -> None:
    found = decoder(0.0, 0.0, 0.0, 0.0).decode("z")
    assert (found.target, found.derivation, found.tried) == (None, None, 0)
    assert decoder(0.0, 0.0, 0.0, 0.0).best("z", 3) == []
