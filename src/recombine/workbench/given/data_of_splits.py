"""The data that splits are of, where they say it themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.datasets.catalogue import CATALOGUE, data_of_split
from recombine.errors import OptionError, SplitError, UnknownNameError
from recombine.records.split import FORM, Split, read_split_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.workbench.given.data_and_split import SplitLike


def data_of_splits(splits: Sequence[SplitLike]) -> str:
    """The data set of the catalogue that all splits name."""
    named = [_of_made(split) if isinstance(split, Split) else _of_named(str(split)) for split in splits]
    for split, name in zip(splits, named, strict=True):
        if name != named[0]:
            first, other = ("one split" if isinstance(one, Split) else str(one) for one in (splits[0], split))
            raise SplitError(
                f"{first} is a split of {named[0]}, {other} one of {name}", "report on one data set at a time"
            )
    return named[0]


def _of_made(split: Split) -> str:
    """The data set that a split was made for."""
    if split.data not in CATALOGUE:
        raise OptionError(f"the split is of {split.data}, which is not in the catalogue", "give its data too")
    return split.data


def _of_named(split: str) -> str:
    """The data set that a split names: the front of its id, or what its file says."""
    front = split.rpartition("/")[0]
    if not Path(split).exists() and not Path(split).suffix:
        named = data_of_split(split)
        if named is not None:
            return named
        if front:
            raise UnknownNameError("data set", front, CATALOGUE)
        raise OptionError(
            f"{split} does not say which data it splits", f"write for example scan/{split}, or give --data"
        )
    record = read_split_file(split)
    if record.get("form") != FORM:
        raise OptionError(f"{split} does not say which data it splits", "name the data with --data")
    if "data" not in record:
        raise SplitError(f"{split}: the key 'data' is missing", "write the split again")
    name = str(record["data"])
    if name not in CATALOGUE:
        hint = f", such as --data {record['data_path']}" if record.get("data_path") else ""
        raise OptionError(
            f"{split} splits {name}, which is not in the catalogue", f"name the data file with --data{hint}"
        )
    return name
