"""Sizes of parts: counts, shares, or whatever is left.

A whole number is a count, a fraction between 0 and 1 a share of the data. Of train and test, the one that is not named
takes what is left; dev is made only when it is named. With both named, examples may stay unused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import SizeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

Size = int | float | None


@dataclass(frozen=True)
class Sizes:
    """How many examples each part should have.

    >>> Sizes(train=None, dev=None, test=0.2).counts(100)
    {'train': None, 'dev': 0, 'test': 20}
    """

    train: Size = None
    dev: Size = None
    test: Size = None

    def counts(self, total: int) -> dict[str, int | None]:
        """Sizes as counts of this many examples; none stands for all that is left."""
        counts = {
            "train": _count("train", self.train, total),
            "dev": _count("dev", self.dev, total) or 0,
            "test": _count("test", self.test, total),
        }
        named = sum(size or 0 for size in counts.values())
        if named > total:
            asked = ", ".join(f"{name} {size}" for name, size in counts.items() if size)
            raise SizeError(f"the sizes ask for {named} examples ({asked}), but there are {total}", "ask for fewer")
        for name in ("train", "test"):
            if counts[name] is None and named == total:
                raise SizeError(f"the sizes leave nothing of {total} examples for {name}", "ask for fewer")
        return counts


def _count(name: str, size: Size, total: int) -> int | None:
    if size is None:
        return None
    if isinstance(size, bool) or size <= 0:
        raise SizeError(f"the size of {name} is {size}", "give a count of at least 1, or a share between 0 and 1")
    if isinstance(size, int):
        return size
    if size >= 1:
        raise SizeError(f"the share of {name} is {size}", "give a share between 0 and 1, or a whole number as a count")
    count = int(size * total + 0.5)
    if count == 0:
        raise SizeError(f"the share {size} of {total} examples leaves {name} empty", "give a larger share")
    return count


def test_count(counts: dict[str, int | None], total: int) -> int:
    """The size of test: as asked for, else what train and dev leave, else a fifth."""
    test, train = counts["test"], counts["train"]
    if test is not None:
        return test
    return max(1, total // 5) if train is None else total - train - (counts["dev"] or 0)


def parse_size(text: str) -> int | float:
    """A size as typed: `8365`, `0.4` or `40%`."""
    try:
        if text.endswith("%"):
            return float(text[:-1]) / 100
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        raise SizeError(f"cannot read the size {text!r}", "give a count such as 8365 or a share such as 0.4") from None


def draw_parts(
    train_pool: Sequence[int],
    test_pool: Sequence[int],
    counts: dict[str, int | None],
    generator: np.random.Generator,
    why: str,
) -> dict[str, list[int]]:
    """Draw train from one pool, test and dev from another; `why` names the pools in an error."""
    import numpy as np

    drawn = draw_rows(np.asarray(train_pool, np.int64), np.asarray(test_pool, np.int64), counts, generator, why)
    return {name: rows.tolist() for name, rows in drawn.items()}


def draw_rows(
    train_pool: NDArray[np.int64],
    test_pool: NDArray[np.int64],
    counts: dict[str, int | None],
    generator: np.random.Generator,
    why: str,
) -> dict[str, NDArray[np.int64]]:
    """The same as arrays, for rows that are too many for lists."""
    import numpy as np

    train_order = train_pool[generator.permutation(len(train_pool))]
    test_order = test_pool[generator.permutation(len(test_pool))]
    dev, train, test = counts["dev"] or 0, counts["train"], counts["test"]
    if train is not None and train > len(train_order):
        raise SizeError(f"train asks for {train} examples, but {why} leaves {len(train_order)} for it", "ask for fewer")
    if dev + (test or 0) > len(test_order):
        raise SizeError(
            f"dev and test ask for {dev + (test or 0)} examples, but {why} leaves {len(test_order)} for them",
            "ask for fewer",
        )
    parts = {"train": np.sort(train_order if train is None else train_order[:train])}
    if dev:
        parts["dev"] = np.sort(test_order[:dev])
    parts["test"] = np.sort(test_order[dev:] if test is None else test_order[dev : dev + test])
    for name, rows in parts.items():
        if not len(rows):
            raise SizeError(f"{name} would be empty: {why} leaves nothing for it", "change the sizes or the limit")
    return parts
