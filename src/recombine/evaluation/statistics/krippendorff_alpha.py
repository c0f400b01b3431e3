"""Krippendorff's alpha: how far people who judged the same items agree, beyond what chance would give.

An answer counts with every other answer to its item, so items with fewer than two answers say nothing, and it does not
matter who gave which. Four scales tell how far two answers are apart (Krippendorff, Content Analysis, 2004, ch. 11):
`nominal` (equal or not), `ordinal` (by how many answers lie between them in rank), `interval` (by their difference) and
`ratio` (by their difference over their sum). Where every answer is the same, chance could not disagree either: alpha
is undefined then, and not 1. The interval draws items anew, with all their answers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.statistics.intervals import LEVEL
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

SCALES = ("nominal", "ordinal", "interval", "ratio")
RESAMPLES = 1000
Answer = str | bool | int | float


@dataclass(frozen=True)
class Agreement:
    """Alpha with its interval, and the counts without which it says little."""

    alpha: float | None
    """None where it is undefined: no item has two answers, or all answers are the same."""
    low: float | None
    high: float | None
    scale: str
    items: int
    """Items with two answers or more; only they count."""
    answers: int
    """The answers to these."""
    single: int
    """Answers to items that have no other; they are left out."""
    undefined: int
    """Resamples without an alpha; the interval leaves them out."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)

    def __str__(self) -> str:
        if self.alpha is None:
            return f"alpha undefined ({self.scale}, {self.answers:,} answers to {self.items:,} items)"
        interval = "" if self.low is None else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"alpha {self.alpha:.3f}{interval} ({self.scale}, {self.answers:,} answers to {self.items:,} items)"


def krippendorff_alpha(
    items: Sequence[Sequence[Answer | None]],
    *,
    scale: str = "nominal",
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Agreement:
    """Alpha of the answers to each item; None stands for an answer that is missing.

    >>> print(krippendorff_alpha([["yes", "yes"], ["no", "no"], ["yes", "no"], ["no", None]], resamples=0))
    alpha 0.444 (nominal, 6 answers to 3 items)
    >>> print(krippendorff_alpha([[1, 1], [1, 1]]))
    alpha undefined (nominal, 4 answers to 2 items)
    """
    import numpy as np

    _check(scale, resamples, level)
    given = [[each for each in item if each is not None] for item in items]
    counted = [item for item in given if len(item) > 1]
    single = sum(len(item) == 1 for item in given)
    answers = sum(map(len, counted))
    values = _values(counted, scale)
    pairs = _pairs(counted, {value: number for number, value in enumerate(values)})
    distances = _Distances(values, scale)
    alpha = distances.alpha(pairs.coincidences(np.ones(len(counted))))
    drawn: list[float] = []
    if alpha is not None:
        generator = make_generator(seed)
        shares = np.full(len(counted), 1 / len(counted))
        weights = (generator.multinomial(len(counted), shares) for _ in range(resamples))
        again = (distances.alpha(pairs.coincidences(each.astype(np.float64))) for each in weights)
        drawn = [each for each in again if each is not None]
    low, high = (float(np.quantile(drawn, q)) for q in ((1 - level) / 2, (1 + level) / 2)) if drawn else (None, None)
    undefined = (resamples - len(drawn)) if alpha is not None else 0
    return Agreement(alpha, low, high, scale, len(counted), answers, single, undefined)


def _check(scale: str, resamples: int, level: float) -> None:
    if scale not in SCALES:
        raise OptionError(f"there is no scale {scale!r}", f"give one of {', '.join(SCALES)}")
    if resamples < 0:
        raise OptionError(f"cannot resample {resamples} times", "give a count of 0 or more")
    if not 0 < level < 1:
        raise OptionError(f"an interval of level {level:g}", "give a level between 0 and 1")


def _values(items: Sequence[Sequence[Answer]], scale: str) -> list[Answer]:
    """The answers that occur, in their order; numbers by size."""
    distinct = {answer for item in items for answer in item}
    if scale == "nominal":
        return sorted(distinct, key=lambda each: (type(each).__name__, str(each)))
    for each in distinct:
        if isinstance(each, str):
            raise OptionError(f"the answer {each[:40]!r} is no number", f"the {scale} scale needs numbers; use nominal")
    numbers = sorted(distinct, key=float)
    if scale == "ratio" and numbers and float(numbers[0]) < 0:
        raise OptionError(f"the answer {numbers[0]!r} is below 0", "the ratio scale needs 0 or more; use interval")
    return numbers


@dataclass(frozen=True)
class _Pairs:
    """Ordered pairs of answers to one item: which values, which item, and the weight of the pair in it."""

    values: int
    cell: NDArray[np.int64]
    item: NDArray[np.int64]
    weight: NDArray[np.float64]

    def coincidences(self, items: NDArray[np.float64]) -> NDArray[np.float64]:
        """How often each value stands beside each, where an item counts so many times."""
        import numpy as np

        weights = self.weight * items[self.item]
        sums: NDArray[np.float64] = np.bincount(self.cell, weights, minlength=self.values**2).astype(np.float64)
        return sums.reshape(self.values, self.values)


def _pairs(items: Sequence[Sequence[Answer]], number: dict[Answer, int]) -> _Pairs:
    import numpy as np

    cells: list[NDArray[np.int64]] = []
    weights: list[NDArray[np.float64]] = []
    for item in items:
        counts = np.bincount([number[answer] for answer in item], minlength=len(number))
        seen = np.flatnonzero(counts)
        beside = counts[seen][:, None] * counts[seen][None, :] - np.diag(counts[seen])
        cells.append((seen[:, None] * len(number) + seen[None, :]).ravel())
        weights.append(beside.ravel() / (len(item) - 1))
    where = np.repeat(np.arange(len(items)), [len(each) for each in cells])
    none = np.zeros(0)
    return _Pairs(len(number), np.concatenate([*cells, none]).astype(np.int64), where, np.concatenate([*weights, none]))


class _Distances:
    """How far values are apart; on the ordinal scale that depends on how often each occurs."""

    def __init__(self, values: Sequence[Answer], scale: str) -> None:
        import numpy as np

        self._scale = scale
        numbers = np.array([0.0 if isinstance(value, str) else float(value) for value in values])
        apart, sums = np.subtract.outer(numbers, numbers), np.add.outer(numbers, numbers)
        if scale == "interval":
            self._squares = apart**2
        elif scale == "ratio":
            self._squares = np.divide(apart, sums, out=np.zeros_like(apart), where=sums != 0) ** 2
        else:
            self._squares = 1.0 - np.eye(len(values))

    def alpha(self, coincidences: NDArray[np.float64]) -> float | None:
        """From how often values stand beside each other; none where chance could not disagree."""
        import numpy as np

        counts = coincidences.sum(axis=1)
        squares = self._between(counts) if self._scale == "ordinal" else self._squares
        expected = float((np.outer(counts, counts) * squares).sum())
        if np.count_nonzero(counts) < 2 or expected == 0:
            return None
        return 1 - (float(counts.sum()) - 1) * float((coincidences * squares).sum()) / expected

    @staticmethod
    def _between(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Squares of the answers between two values, each end with half of its own."""
        import numpy as np

        up_to = np.cumsum(counts) - counts / 2
        squares: NDArray[np.float64] = np.subtract.outer(up_to, up_to) ** 2
        return squares
