"""Verdicts: what a matcher says of each prediction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from recombine.errors import ProgramError, RecordError
from recombine.evaluation.statistics.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from recombine.evaluation.match.matchers import Matcher
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example


class Verdict(StrEnum):
    """What became of one prediction; all but `RIGHT` are wrong."""

    RIGHT = "right"
    WRONG = "wrong"
    MALFORMED = "malformed"
    """The output is not a program of the language."""
    ABSTAINED = "abstained"
    """There is no output, or an empty one."""


def judge(dataset: Dataset, ids: Sequence[str], outputs: Mapping[str, str], matcher: Matcher) -> tuple[Verdict, ...]:
    """The verdict on the output for each id, in order; an id without an output abstains.

    A gold program that cannot be read is an error, since nothing can be scored against it.
    """
    return tuple(_verdict(dataset, dataset[key], outputs.get(key, ""), matcher) for key in ids)


def _verdict(dataset: Dataset, example: Example, output: str, matcher: Matcher) -> Verdict:
    try:
        wanted = _read(example.target, example, matcher)
    except ProgramError as error:
        problem = f"the gold program cannot be read: {error.problem}"
        raise RecordError(dataset.name, f"example {example.id}", problem, error.remedy) from None
    if not output.strip():
        return Verdict.ABSTAINED
    try:
        given = _read(output, example, matcher)
    except ProgramError:
        return Verdict.MALFORMED
    return Verdict.RIGHT if given == wanted else Verdict.WRONG


def _read(program: str, example: Example, matcher: Matcher) -> Hashable:
    try:
        return matcher.read(program, example)
    except RecursionError:
        raise ProgramError(matcher.name, 0, "nested too deeply to be read", "leave the example out") from None


@dataclass(frozen=True)
class Tally:
    """Verdicts, counted.

    >>> tally = Tally.of([Verdict.RIGHT, Verdict.RIGHT, Verdict.WRONG, Verdict.ABSTAINED])
    >>> tally.accuracy, tally.coverage, round(tally.precision, 3)
    (0.5, 0.75, 0.667)
    """

    right: int
    wrong: int
    malformed: int
    abstained: int

    @classmethod
    def of(cls, verdicts: Sequence[Verdict]) -> Tally:
        """The counts of these verdicts."""
        counts = Counter(verdicts)
        return cls(*(counts[verdict] for verdict in Verdict))

    @property
    def n(self) -> int:
        """How many verdicts there are."""
        return self.right + self.wrong + self.malformed + self.abstained

    @property
    def outputs(self) -> int:
        """How many of them are on an output."""
        return self.n - self.abstained

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.n

    @property
    def coverage(self) -> float:
        """The share that has an output."""
        return self.outputs / self.n

    @property
    def precision(self) -> float | None:
        """The share of outputs that is right; none where there is no output."""
        return self.right / self.outputs if self.outputs else None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the accuracy."""
        return wilson(self.right, self.n)
