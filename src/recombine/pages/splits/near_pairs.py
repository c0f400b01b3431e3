"""The nearest pairs of a split with their texts, for its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example


class NearPair(NamedTuple):
    """A test example and the train example that is nearest to it."""

    test: Example
    train: Example
    source: float
    """The likeness of the sources."""
    target: float


class NearPairs(NamedTuple):
    """What the page says of near duplicates."""

    threshold: float
    examples: int
    pairs: int
    rows: tuple[NearPair, ...]


def near_pairs(dataset: Dataset, measured: Mapping[str, Any] | None) -> NearPairs | None:
    """The nearest pairs that were measured; none where near duplicates were not asked for."""
    if measured is None:
        return None
    rows = tuple(
        NearPair(
            dataset.part([dataset.index[pair["id"]]])[0],
            dataset.part([dataset.index[pair["near"]]])[0],
            pair["source"],
            pair["target"],
        )
        for pair in measured["worst"]
    )
    return NearPairs(measured["threshold"], measured["examples"], measured["pairs"], rows)
