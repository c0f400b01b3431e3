"""A score by groups, and its bounds within groups: what `score --by` and `score --robustness` give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.groups.axes import ORDERS
from recombine.evaluation.groups.group import groups_of
from recombine.evaluation.groups.robustness import bounds
from recombine.evaluation.match.judge import Verdict

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from recombine.evaluation.groups.group import Group
    from recombine.evaluation.groups.robustness import Bounds
    from recombine.evaluation.score import Score

PARAPHRASE, TEMPLATE = GROUPINGS = ("paraphrase", "template")
"""What questions are grouped by to bound an accuracy."""


@dataclass(frozen=True)
class Robustness:
    """The bounds of each metric within groups of questions."""

    by: Mapping[str, Mapping[str, Bounds] | None]
    """By grouping and metric; none where no question of the data can be slotted."""
    unslotted: int
    """Questions in which something that is named does not stand: they are paraphrases by their whole text."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        records = {
            grouping: None if found is None else {metric: each.to_record() for metric, each in found.items()}
            for grouping, found in self.by.items()
        }
        return {**records, "unslotted": self.unslotted}


def score_by(
    scored: Score, labels: Mapping[str, Sequence[str]], f1: Sequence[float] | None = None
) -> dict[str, tuple[Group, ...]]:
    """A score taken apart by labels, one for each of its entries under each name."""
    return {
        axis: groups_of(given, scored.verdicts, f1, order=ORDERS.get(axis, ())) for axis, given in labels.items()
    }


def robustness(scored: Score, groups: Mapping[str, Sequence[Hashable] | None], unslotted: int) -> Robustness:
    """The bounds of every metric of a score within groups, one for each of its entries under each name."""
    right = {
        metric: [verdict is Verdict.RIGHT for verdict in verdicts] for metric, verdicts in scored.verdicts.items()
    }
    return Robustness(
        {
            name: None if given is None else {metric: bounds(given, verdicts) for metric, verdicts in right.items()}
            for name, given in groups.items()
        },
        unslotted,
    )
