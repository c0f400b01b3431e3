"""How accuracy with a property differs from accuracy without it, for many properties, the greatest loss first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.statistics.intervals import newcombe, wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Share:
    """Entries, and how many of them are right."""

    right: int
    n: int

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.n

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        interval = list(wilson(self.right, self.n))
        return {"accuracy": self.accuracy, "interval": interval, "n": self.n, "right": self.right}


@dataclass(frozen=True)
class PropertyDifference:
    """The entries that have a property, and those that do not."""

    name: str
    having: Share
    lacking: Share

    @property
    def difference(self) -> float:
        """The accuracy with the property less that without."""
        return self.having.accuracy - self.lacking.accuracy

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the difference."""
        return newcombe((self.having.right, self.lacking.right), (self.having.n, self.lacking.n))

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "property": self.name,
            "difference": self.difference,
            "interval": list(self.interval),
            "with": self.having.to_record(),
            "without": self.lacking.to_record(),
        }


@dataclass(frozen=True)
class PropertyDifferences:
    """The differences of many properties."""

    rows: tuple[PropertyDifference, ...]
    """The greatest loss first; of equal ones, that of more entries."""
    everywhere: tuple[str, ...]
    """Properties that all entries have, or none has: there is nothing to compare."""
    not_asked: Mapping[str, str]
    """Properties that the data cannot be asked for, with the reason."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "rows": [row.to_record() for row in self.rows],
            "of_all_or_none": list(self.everywhere),
            "not_asked": dict(self.not_asked),
        }


def property_differences(
    holds: Mapping[str, Sequence[bool]], right: Sequence[bool], not_asked: Mapping[str, str] | None = None
) -> PropertyDifferences:
    """The differences of properties, given which of the entries each holds of, and which entries are right.

    >>> found = property_differences({"a": [True, True, False, False], "b": [True] * 4}, [False, True, True, True])
    >>> [(row.name, row.difference) for row in found.rows], found.everywhere
    ([('a', -0.5)], ('b',))
    """
    rows, everywhere = [], []
    for name, mask in holds.items():
        having = [is_right for is_right, held in zip(right, mask, strict=True) if held]
        lacking = [is_right for is_right, held in zip(right, mask, strict=True) if not held]
        if having and lacking:
            rows.append(PropertyDifference(name, *(Share(sum(each), len(each)) for each in (having, lacking))))
        else:
            everywhere.append(name)
    rows.sort(key=lambda row: (row.difference, -row.having.n, row.name))
    return PropertyDifferences(tuple(rows), tuple(everywhere), dict(not_asked or {}))
