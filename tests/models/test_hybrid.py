"""The hybrid: whom it asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import pytest

from recombine.errors import RecombineError
from recombine.models.hybrid import HybridParser, OutputsById
from recombine.records.example import Example, Query
from recombine.records.world import World


class Capitals:
    """A parser that answers in capitals, but for some sources, and remembers what it was asked."""

    def __init__(self, *unknown: str) -> None:
        self.unknown = unknown
        self.seen: list[str] = []

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        del examples, world
        return self

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        del world
        self.seen += [query.source for query in queries]
        return [None if query.source in self.unknown else query.source.upper() for query in queries]


QUERIES = [Query("1", "look"), Query("2", "hop"), Query("3", "jump")]


def test_the_fallback_is_asked_only_where_the_first_abstains() -> None:
    first, other = Capitals("hop"), OutputsById("file", {"2": "HOPPED"})
    assert HybridParser({}, first, other).predict(QUERIES, None) == ["LOOK", "HOPPED", "JUMP"]
    second = Capitals("hop")
    assert HybridParser({}, Capitals("hop", "jump"), second).predict(QUERIES, None) == ["LOOK", None, "JUMP"]
    assert second.seen == ["hop", "jump"]


def test_outputs_at_hand_must_be_complete() -> None:
    with pytest.raises(RecombineError, match="file: no prediction for 1 of 3 queries, such as '3'"):
        OutputsById("file", {"1": "A", "2": "B"}).predict(QUERIES, None)
    assert OutputsById("file", {"1": "A", "2": ""}, allow_missing=True).predict(QUERIES, None) == ["A", None, None]
