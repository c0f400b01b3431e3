"""A score by groups of entries: every metric in each of them, with counts and intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.match.judge import Tally
from recombine.evaluation.statistics.mean_share import MeanShare

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.evaluation.match.judge import Verdict


@dataclass(frozen=True)
class Group:
    """The entries of one label, as each metric sees them."""

    label: str
    tallies: Mapping[str, Tally]
    f1: MeanShare | None
    """The mean F1 of their answers, where answers were asked for."""

    @property
    def n(self) -> int:
        """How many entries there are."""
        return next(iter(self.tallies.values())).n

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        metrics = {
            metric: {"accuracy": tally.accuracy, "interval": list(tally.interval), **tally.to_record()}
            for metric, tally in self.tallies.items()
        }
        f1 = {} if self.f1 is None else {"answer_f1": self.f1.to_record()}
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
            None if f1 is None else MeanShare.of([f1[place] for place in places[label]]),
        )
        for label in (*first, *sorted(places.keys() - set(first)))
    )
