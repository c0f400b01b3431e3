"""A score by groups of entries: every metric in each of them, with counts and intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.match.judge import Tally
from recombine.evaluation.statistics.mean_interval import mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.evaluation.match.judge import Verdict


@dataclass(frozen=True)
class Group:
    """The entries of one label, as each metric sees them."""

    label: str
    tallies: Mapping[str, Tally]
    f1_total: float | None = None
    """The sum of the F1 of their answers, where answers were asked for."""

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

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        metrics = {
            metric: {"accuracy": tally.accuracy, "interval": list(tally.interval), **tally.to_record()}
            for metric, tally in self.tallies.items()
        }
        interval = self.f1_interval
        f1 = {} if interval is None else {"answer_f1": {"mean": self.f1, "interval": list(interval)}}
        return {"group": self.label, "n": self.n, **metrics, **f1}


def groups_of(
    labels: Sequence[str],
    verdicts: Mapping[str, Sequence[Verdict]],
    f1: Sequence[float] | None = None,
    *,
    order: Iterable[str] = (),
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
            None if f1 is None else fsum(f1[place] for place in places[label]),
        )
        for label in (*first, *sorted(places.keys() - set(first)))
    )
