"""Expected accuracy: what a system that draws its answers has on average, from the guesses that it draws from.

A guess of one of two options is right by half; a random draw would only make the number vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from recombine.evaluation.match.judge import Verdict, judge
from recombine.evaluation.statistics.mean_interval import mean_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.match.matchers import Matcher
    from recombine.records.dataset import Dataset


@dataclass(frozen=True)
class ExpectedAccuracy:
    """The share of right guesses of each entry; of an entry without guesses, 1 where its output is right, else 0."""

    shares: tuple[float, ...]
    guessed: int
    """Entries that have guesses."""

    @property
    def accuracy(self) -> float:
        """Their mean."""
        return fsum(self.shares) / len(self.shares)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of that mean."""
        return mean_interval(min(fsum(self.shares), len(self.shares)), len(self.shares))

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"accuracy": self.accuracy, "interval": list(self.interval), "guessed": self.guessed}


def expected_accuracy(
    dataset: Dataset,
    ids: Sequence[str],
    right: Sequence[bool],
    guesses: Mapping[str, tuple[str, ...]],
    matcher: Matcher,
) -> ExpectedAccuracy | None:
    """The expected accuracy of entries; none where nothing was guessed."""
    if not guesses:
        return None
    shares = [float(is_right) for is_right in right]
    places = [place for place, key in enumerate(ids) if key in guesses]
    for place in places:
        key = ids[place]
        verdicts = [judge(dataset, [key], {key: guess}, matcher)[0] for guess in guesses[key]]
        shares[place] = sum(verdict is Verdict.RIGHT for verdict in verdicts) / len(verdicts)
    return ExpectedAccuracy(tuple(shares), len(places))
