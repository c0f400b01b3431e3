"""The hybrid: whom it asks, and outputs at hand."""

from __future__ import annotations

import pytest

from recombine.errors import RecombineError
from recombine.models.nqg.hybrid import Hybrid, Outputs
from recombine.models.nqg.model import Nqg
from recombine.models.parser import Parser

PAIRS = [("jump", "J"), ("walk", "W"), ("look", "L"), ("jump twice", "J J"), ("walk twice", "W W")]


class Echo:
    """A parser that answers in capitals and remembers what it was asked."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.fitted = 0

    def fit(self, pairs: object) -> Echo:
        self.fitted = len(list(pairs))  # type: ignore[call-overload]
        return self

    def predict(self, sources: list[str]) -> list[str | None]:
        self.seen += sources
        return [source.upper() for source in sources]


def test_the_fallback_is_asked_only_where_the_first_abstains() -> None:
    other = Echo()
    hybrid: Parser = Hybrid(Nqg(), other)  # type: ignore[arg-type]
    assert hybrid.fit(iter(PAIRS)).predict(["look twice", "hop", "jump"]) == ["L L", "HOP", "J"]
    assert other.seen == ["hop"]
    assert other.fitted == len(PAIRS)


def test_outputs_at_hand_must_be_complete() -> None:
    with pytest.raises(RecombineError, match="no output for 'y'"):
        Outputs({"x": "A"}).fit([]).predict(["x", "y"])
