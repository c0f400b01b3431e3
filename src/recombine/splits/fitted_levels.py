"""The split by levels of data that is made for it: where it has too few examples for the usual sizes, smaller ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InfeasibleError
from recombine.splits.make_split import MadeSplit, make_split

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.splits.hold_out.levels import LevelsSplitter

SMALLER = (1.0, 0.75, 0.5, 0.25)
"""The parts of the usual sizes of dev and test that are tried one after the other."""
MANY_UNUSED = 0.1
"""The share of the data from which on it is said that it is unused."""


def fitted_levels(dataset: Dataset, splitter: LevelsSplitter, *, fixed_sizes: bool = False) -> MadeSplit:
    """The split, with what is to be said of it; `fixed_sizes` are not made smaller.

    Where none can be made, the error is that of the sizes that were asked for.
    """
    first: InfeasibleError | None = None
    for part in SMALLER[:1] if fixed_sizes else SMALLER:
        sizes: dict[str, Any] = {name: _smaller(getattr(splitter, name), part) for name in ("dev", "test")}
        try:
            made = make_split(dataset, replace(splitter, **sizes), lambda: None)
        except InfeasibleError as error:
            first = first or error
            if error.best is None:
                break
            continue
        return MadeSplit(made.split, notes=(*made.notes, *_said(made, part, len(dataset))))
    if first is None:
        raise AssertionError("what cannot be made is an error")
    raise first


def _smaller(size: int | float | None, part: float) -> int | float | None:
    if size is None or part == 1:
        return size
    return size * part if isinstance(size, float) else int(size * part)


def _said(made: MadeSplit, part: float, total: int) -> tuple[str, ...]:
    said = []
    if part < 1:
        said.append(f"dev and test have {part:.0%} of their usual sizes, as more cannot be held out")
    unused = int(made.split.signature.get("unused") or 0)
    if unused > MANY_UNUSED * total:
        said.append(f"{unused:,} of {total:,} examples of held-out domains are in no part: dev and test need fewer")
    return tuple(said)
