"""Splits under names, for verbs that take several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from recombine.errors import OptionError
from recombine.records.split import Split
from recombine.workbench.given.data_and_split import SplitLike

Splits = SplitLike | Sequence[SplitLike] | Mapping[str, SplitLike]
"""One split, several, or several under names of one's own."""


def named_splits(splits: Splits) -> dict[str, SplitLike]:
    """A name for each split: one's own, an id as it is, a file by its stem where that tells them apart.

    A split that is neither an id nor a file is called by how it was made.

    >>> named_splits("scan/mcd1")
    {'scan/mcd1': 'scan/mcd1'}
    """
    if isinstance(splits, Mapping) and not isinstance(splits, Split):
        if not splits:
            raise OptionError("there is no split", "name at least one")
        return dict(splits)
    given = listed_splits(splits)
    long = [_made(split) if isinstance(split, Split) else str(split) for split in given]
    repeated = next(
        (name for place, name in enumerate(long) if any(_same(given[place], other) for other in given[:place])), None
    )
    if repeated is not None:
        raise OptionError(f"the split {repeated} is named twice", "name each split once")
    short = [
        name if isinstance(split, Split) or not Path(name).is_file() else Path(name).stem
        for name, split in zip(long, given, strict=True)
    ]
    names = [name if short.count(name) == 1 else whole for name, whole in zip(short, long, strict=True)]
    return dict(zip(_apart(names), given, strict=True))


def listed_splits(splits: Splits) -> list[SplitLike]:
    """The splits alone; at least one."""
    if isinstance(splits, str | Path | Split):
        return [splits]
    listed = list(splits.values() if isinstance(splits, Mapping) else splits)
    if not listed:
        raise OptionError("there is no split", "name at least one")
    return listed


def _same(one: SplitLike, other: SplitLike) -> bool:
    if isinstance(one, Split) or isinstance(other, Split):
        return one is other
    return str(one) == str(other)


def _made(split: Split) -> str:
    return split.signature.get("by") or "split"


def _apart(names: list[str]) -> list[str]:
    """The names, with a number where one comes again."""
    apart: list[str] = []
    for name in names:
        unique, copy = name, 2
        while unique in apart:
            unique, copy = f"{name} ({copy})", copy + 1
        apart.append(unique)
    return apart
