"""The length splits: train on short sources or targets, test on longer ones (CFQ paper, §4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from recombine.errors import OptionError
from recombine.options import option
from recombine.splits.sizes import draw_rows, test_count
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class LengthSplitter(Splitter):
    """Train has sources (or targets) of at most `max_length` words, test longer ones.

    Without a limit, the largest that leaves enough for test is taken.

    >>> from recombine.datasets.catalogue import load
    >>> split = SourceLengthSplitter(max_length=8, seed=1).split(load("scan"))
    >>> split.sizes()
    {'train': 17710, 'test': 3200}
    """

    max_length: int | None = option(
        None, "the greatest length in train, in words; without it, the largest that leaves enough for test"
    )
    side: ClassVar[str] = ""

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Divide by the limit, then draw."""
        lengths = np.array([len(getattr(example, self.side).split()) for example in dataset], np.int64)
        parts, extra = self.choose_rows(lengths, counts, generator)
        return {name: rows.tolist() for name, rows in parts.items()}, extra

    def choose_rows(
        self, lengths: NDArray[np.int64], counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, NDArray[np.int64]], dict[str, object]]:
        """The same of the lengths alone."""
        limit = self.max_length
        if limit is None:
            limit = _largest_limit(lengths, counts)
        if limit < 0:
            raise OptionError(f"the greatest length is {limit}", "give a whole number of 0 or more")
        short, long = np.flatnonzero(lengths <= limit), np.flatnonzero(lengths > limit)
        parts = draw_rows(short, long, counts, generator, f"a {self.side} length of at most {limit}")
        return parts, {"max_length": limit}


def _largest_limit(lengths: NDArray[np.int64], counts: dict[str, int | None]) -> int:
    wanted = test_count(counts, len(lengths)) + (counts["dev"] or 0)
    # With `wanted` examples above the limit, the limit lies one below the shortest of the longest ones.
    return int(np.sort(lengths)[len(lengths) - wanted]) - 1


@dataclass(frozen=True, kw_only=True)
class SourceLengthSplitter(LengthSplitter):
    """By the length of the source."""

    by: ClassVar[str] = "length:source"
    side: ClassVar[str] = "source"


@dataclass(frozen=True, kw_only=True)
class TargetLengthSplitter(LengthSplitter):
    """By the length of the target."""

    by: ClassVar[str] = "length:target"
    side: ClassVar[str] = "target"
