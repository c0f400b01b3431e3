"""Pair accuracy: the share of twins of which both are right, as who guesses seldom has it (COVR, §2.3).

Twins have the same words and another answer; they share the field `pair`. Pairs of which not all are in the part are
torn: they are counted, and no share is made of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from recombine.evaluation.statistics.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from recombine.records.dataset import Dataset

PAIR = "pair"


@dataclass(frozen=True)
class PairAccuracy:
    """Twins, counted."""

    right: int
    """Pairs of which all questions are right."""
    pairs: int
    torn: int
    """Pairs of which some question is outside of the part."""
    without_twin: int
    """Questions that have none in the data."""

    @property
    def accuracy(self) -> float | None:
        """The share of whole pairs that are right; none where there is no whole pair."""
        return self.right / self.pairs if self.pairs else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of that share."""
        return wilson(self.right, self.pairs) if self.pairs else None

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        interval = self.interval
        return {
            "accuracy": self.accuracy,
            "interval": None if interval is None else list(interval),
            "n": self.pairs,
            "right": self.right,
            "torn": self.torn,
            "without_twin": self.without_twin,
        }


def pair_accuracy(pairs: Mapping[str, Hashable | None], right: Mapping[str, bool]) -> PairAccuracy:
    """The accuracy of twins: `pairs` says the pair of every question of the data, `right` has those of the part.

    >>> pair_accuracy({"a": 0, "b": 0, "c": 1, "d": 1, "e": None}, {"a": True, "b": True, "c": True, "e": False})
    PairAccuracy(right=1, pairs=1, torn=1, without_twin=1)
    """
    sizes = Counter(pair for pair in pairs.values() if pair is not None)
    here: defaultdict[Hashable, list[bool]] = defaultdict(list)
    without = 0
    for key, is_right in right.items():
        pair = pairs[key]
        if pair is None or sizes[pair] == 1:
            without += 1
        else:
            here[pair].append(is_right)
    whole = [all(each) for pair, each in here.items() if len(each) == sizes[pair]]
    return PairAccuracy(sum(whole), len(whole), len(here) - len(whole), without)


def twins_of(dataset: Dataset) -> dict[str, Hashable | None] | None:
    """Whose twin each question of a data set is; none where no question says it."""
    fields = zip(dataset.ids, dataset.iter_plain("context"), dataset.iter_plain("tags"), strict=True)
    pairs = {key: _hashable(context.get(PAIR, tags.get(PAIR))) for key, context, tags in fields}
    return pairs if any(pair is not None for pair in pairs.values()) else None


def _hashable(pair: Any) -> Hashable | None:
    """A pair as a key, which a list of several names is not."""
    return orjson.dumps(pair) if isinstance(pair, list | dict) else pair


def right_by_id(ids: Sequence[str], right: Sequence[bool]) -> dict[str, bool]:
    """Whether each question is right; a question that is asked several times must be so each time."""
    found: dict[str, bool] = {}
    for key, is_right in zip(ids, right, strict=True):
        found[key] = found.get(key, True) and is_right
    return found
