"""Accuracy and output length by the length of the gold program, and how much too short wrong outputs are.

The CFQ paper (§5.2) finds more errors on longer programs, and wrong outputs about 20 % too short; the NQG paper (§6.2)
that outputs are hardly longer than the longest program of train. Lengths are in symbols as `first_error.output_tokens`
tells them apart. Empty outputs are abstentions: they are wrong, and counted, but have no length.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.errors.first_error import output_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GROUPS = 6


@dataclass(frozen=True)
class LengthGroup:
    """Entries whose gold programs have one of these lengths."""

    shortest: int
    longest: int
    n: int
    right: int
    wrong: int
    """Wrong outputs; abstentions are neither right nor among these."""
    gold_of_wrong: float | None
    """The mean length of the gold programs of wrong outputs."""
    wrong_output: float | None
    """The mean length of wrong outputs."""

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.n

    @property
    def too_short(self) -> float | None:
        """By what share wrong outputs are shorter than their gold programs in sum; negative where they are longer."""
        if self.wrong_output is None or not self.gold_of_wrong:
            return None
        return 1 - self.wrong_output / self.gold_of_wrong

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON, where one of `too_short` and `too_long` is null and no share is negative."""
        short = self.too_short
        short, long = (short, None) if short is None or short >= 0 else (None, -short)
        return {**asdict(self), "accuracy": self.accuracy, "too_short": short, "too_long": long}


@dataclass(frozen=True)
class Lengths:
    """The groups from short to long, and all of them together."""

    groups: tuple[LengthGroup, ...]
    whole: LengthGroup
    abstained: int
    shorter: int
    same: int
    longer: int
    """Wrong outputs that are shorter than, as long as, and longer than their gold programs."""
    median_ratio: float | None
    """The median of wrong outputs' lengths over those of their gold programs; a few endless outputs do not move it."""
    longest_train: int | None
    """The length of the longest program of train, where train is known."""
    longest_output: int | None
    gold_beyond_train: int | None
    output_beyond_train: int | None
    """Gold programs and outputs that are longer than all of train."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        groups = {"groups": [group.to_record() for group in self.groups], "whole": self.whole.to_record()}
        return {**asdict(self), **groups}


def lengths(
    outputs: Iterable[tuple[str, str, bool]], *, train: Iterable[str] | None = None, groups: int = GROUPS
) -> Lengths:
    """Lengths over outputs, each with its gold program before it and whether it is correct after it.

    `groups` is the most groups to form; they hold about as many entries each, and entries of one length stay together.

    >>> measured = lengths([("a b c d", "a b c", False), ("a b", "a b", True), ("a b c d e f", "a b", False)])
    >>> measured.whole.too_short, measured.shorter, [(group.longest, group.accuracy) for group in measured.groups]
    (0.5, 2, [(2, 1.0), (4, 0.0), (6, 0.0)])
    """
    rows = [(len(output_tokens(gold)), len(output_tokens(output)), correct) for gold, output, correct in outputs]
    if not rows:
        raise OptionError("there are no outputs to measure", "give at least one")
    if groups < 1:
        raise OptionError(f"cannot form {groups} groups", "give 1 or more")
    wrong = [(gold, given) for gold, given, correct in rows if given and not correct]
    longest = None if train is None else max((len(output_tokens(text)) for text in train), default=0)
    return Lengths(
        tuple(_group(rows, low, high) for low, high in _ranges([gold for gold, _, _ in rows], groups)),
        _group(rows, min(rows)[0], max(rows)[0]),
        abstained=sum(not given for _, given, _ in rows),
        shorter=sum(given < gold for gold, given in wrong),
        same=sum(given == gold for gold, given in wrong),
        longer=sum(given > gold for gold, given in wrong),
        median_ratio=median(given / gold for gold, given in wrong if gold) if wrong else None,
        longest_train=longest,
        longest_output=max((given for _, given, _ in rows if given), default=None),
        gold_beyond_train=None if longest is None else sum(gold > longest for gold, _, _ in rows),
        output_beyond_train=None if longest is None else sum(given > longest for _, given, _ in rows),
    )


def _ranges(gold: Sequence[int], groups: int) -> list[tuple[int, int]]:
    """Ranges of lengths with about as many entries each: one ends where the next share of the entries is reached."""
    ranges: list[tuple[int, int]] = []
    start, held = None, 0
    counts = sorted(Counter(gold).items())
    for length, count in counts:
        start = length if start is None else start
        held += count
        if held * groups >= len(gold) * (len(ranges) + 1) or length == counts[-1][0]:
            ranges.append((start, length))
            start = None
    return ranges


def _group(rows: Sequence[tuple[int, int, bool]], low: int, high: int) -> LengthGroup:
    here = [row for row in rows if low <= row[0] <= high]
    wrong = [(gold, given) for gold, given, correct in here if given and not correct]
    return LengthGroup(
        low,
        high,
        len(here),
        sum(correct for _, _, correct in here),
        len(wrong),
        fmean(gold for gold, _ in wrong) if wrong else None,
        fmean(given for _, given in wrong) if wrong else None,
    )
