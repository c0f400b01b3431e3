"""How robust a system is within groups of questions that ask for the same (GrailQA, section 5.3.3).

The upper bound takes all questions of a group for right if any is, the lower bound only if all are, so that accuracy
lies between them; the closer the three, the more robust the system. As the questions of a group stand or fall together
in a bound, the interval of a bound is Wilson's for the number of groups of one size that would tell as much: the square
of the number of questions over the sum of the squares of the groups' sizes (Kish, 1965).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.statistics.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


@dataclass(frozen=True)
class Bounds:
    """The bounds of an accuracy over groups, as counts of questions."""

    n: int
    groups: int
    alone: int
    """Groups of a single question, which cannot set bounds apart."""
    lower_right: int
    right: int
    upper_right: int
    effective: float
    """The number of groups of one size that tell as much as these."""

    @property
    def lower(self) -> float:
        """The share of questions in groups that are right as a whole."""
        return self.lower_right / self.n

    @property
    def accuracy(self) -> float:
        """The share of questions that are right."""
        return self.right / self.n

    @property
    def upper(self) -> float:
        """The share of questions in groups of which any is right."""
        return self.upper_right / self.n

    def interval(self, bound: str) -> tuple[float, float]:
        """The interval of `lower`, `accuracy` or `upper`."""
        if bound == "accuracy":
            return wilson(self.right, self.n)
        share: float = getattr(self, bound)
        return wilson(share * self.effective, self.effective)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        names = ("lower", "accuracy", "upper")
        intervals = {name: list(self.interval(name)) for name in names}
        return {**{name: getattr(self, name) for name in names}, "intervals": intervals, **asdict(self)}


def bounds(groups: Sequence[Hashable], right: Sequence[bool]) -> Bounds:
    """The bounds over questions, each with its group and whether it is right.

    >>> found = bounds(["a", "a", "a", "b", "b", "c"], [True, False, True, True, True, False])
    >>> found.lower_right, found.right, found.upper_right, found.groups, found.alone
    (2, 4, 5, 3, 1)
    """
    if len(groups) != len(right) or not right:
        raise OptionError(f"{len(groups)} groups beside {len(right)} verdicts", "give one for each of some questions")
    members: dict[Hashable, list[bool]] = {}
    for group, is_right in zip(groups, right, strict=True):
        members.setdefault(group, []).append(is_right)
    sizes = [len(verdicts) for verdicts in members.values()]
    return Bounds(
        n=len(right),
        groups=len(members),
        alone=sizes.count(1),
        lower_right=sum(len(verdicts) for verdicts in members.values() if all(verdicts)),
        right=sum(right),
        upper_right=sum(len(verdicts) for verdicts in members.values() if any(verdicts)),
        effective=len(right) ** 2 / sum(size * size for size in sizes),
    )
