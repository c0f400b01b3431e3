"""A score by groups of entries: every metric in each of them, with counts and intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.answers.answer_matcher import ACCURACY
from recombine.evaluation.match.judge import Tally
from recombine.evaluation.statistics.mean_interval import mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.evaluation.match.judge import Verdict

PARAPHRASED = "paraphrased"
"""The metric of answers to paraphrases."""
OF_ANSWERS = (ACCURACY, PARAPHRASED)
"""The metrics of answers in words."""


@dataclass(frozen=True)
class Group:
    """The entries of one label, as each metric sees them."""

    label: str
    tallies: Mapping[str, Tally]
    f1_total: float | None = None
    """The sum of the F1 of their answers, where answers were asked for."""
    expected_total: float | None = None
    """The sum of what is expected of them, where outputs were guesses."""

    @property
    def n(self) -> int:
        """How many entries there are."""
        return next(iter(self.tallies.values())).n

    @property
    def f1(self) -> float | None:
        """The mean F1 of their answers."""
        return None if self.f1_total is None else self.f1_total / self.n

    @property
    def f1_interval(self) -> tuple[float, float] | None:
        """The interval of that mean."""
        return None if self.f1_total is None else mean_interval(min(self.f1_total, self.n), self.n)

    @property
    def expected(self) -> float | None:
        """Their expected accuracy."""
        return None if self.expected_total is None else self.expected_total / self.n

    @property
    def expected_interval(self) -> tuple[float, float] | None:
        """The interval of that mean."""
        return None if self.expected_total is None else mean_interval(min(self.expected_total, self.n), self.n)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        metrics = {
            metric: {"accuracy": tally.accuracy, "interval": list(tally.interval), **_counts(metric, tally)}
            for metric, tally in self.tallies.items()
        }
        interval = self.f1_interval
        f1 = {} if interval is None else {"answer_f1": {"mean": self.f1, "interval": list(interval)}}
        likely = self.expected_interval
        expected = {} if likely is None else {"expected": {"accuracy": self.expected, "interval": list(likely)}}
        return {"group": self.label, "n": self.n, **metrics, **f1, **expected}


def _counts(metric: str, tally: Tally) -> dict[str, int]:
    """The counts of a tally by name; of answers, what cannot be read is called so."""
    counts = tally.to_record()
    if metric in OF_ANSWERS:
        return {"unreadable" if name == "malformed" else name: count for name, count in counts.items()}
    return counts


def groups_of(
    labels: Sequence[str],
    verdicts: Mapping[str, Sequence[Verdict]],
    f1: Sequence[float] | None = None,
    *,
    order: Iterable[str] = (),
    expected: Sequence[float] | None = None,
) -> tuple[Group, ...]:
    """The groups of entries that have a label each; those of `order` come first, the others by their names.

    >>> from recombine.evaluation.match.judge import Verdict
    >>> verdicts = {"strict": [Verdict.RIGHT, Verdict.WRONG, Verdict.RIGHT]}
    >>> [(group.label, group.n, group.tallies["strict"].accuracy) for group in groups_of(["b", "a", "b"], verdicts)]
    [('a', 1, 0.0), ('b', 2, 1.0)]
    """
    if any(len(given) != len(labels) for given in verdicts.values()) or not (labels and verdicts):
        raise OptionError("labels and verdicts are not of the same entries", "give one label for each of some entries")
    places: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    first = [label for label in dict.fromkeys(order) if label in places]
    return tuple(
        Group(
            label,
            {metric: Tally.of([given[place] for place in places[label]]) for metric, given in verdicts.items()},
            _total(f1, places[label]),
            _total(expected, places[label]),
        )
        for label in (*first, *sorted(places.keys() - set(first)))
    )


def _total(values: Sequence[float] | None, places: Sequence[int]) -> float | None:
    return None if values is None else fsum(values[place] for place in places)


def beside(groups: Sequence[Group], others: Sequence[Group]) -> tuple[Group, ...]:
    """Groups with the metrics of others of the same labels; those that have no other keep their own alone."""
    tallies = {group.label: group.tallies for group in others}
    return tuple(replace(group, tallies={**group.tallies, **tallies.get(group.label, {})}) for group in groups)
