"""The mean of values between 0 and 1, with an interval that is no narrower than their spread asks for.

The interval is Wilson's with the mean in place of a share. Of all values between 0 and 1 with one mean those at the
ends are spread most, so that it is as wide as it must be where values are 0 or 1, and wider than it must be elsewhere;
it stays within 0 and 1, and is not empty for few or equal values.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.statistics.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class MeanShare:
    """A mean of so many values."""

    mean: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> MeanShare:
        """The mean of these values.

        >>> MeanShare.of([1.0, 0.5, 0.0])
        MeanShare(mean=0.5, n=3)
        """
        if not values or not all(0 <= value <= 1 for value in values):
            raise OptionError("there are no values, or some are not between 0 and 1", "give shares, at least one")
        return cls(fsum(values) / len(values), len(values))

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the mean."""
        return wilson(self.mean * self.n, self.n)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"mean": self.mean, "interval": list(self.interval), "n": self.n}
