"""The catalogue: what `DATA` and `SPLIT` can name, and how a name becomes data.

A data id is a path-like name (`scan`); a split id is `DATA/NAME` (`scan/mcd1`), or just `NAME` beside its data. Both
can be files instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.datasets import geoquery, scan
from recombine.datasets.tables import read_table
from recombine.errors import MissingDataError, RecombineError, SplitError, UnknownNameError
from recombine.languages.known import find_language
from recombine.records.split import FORM, Split, parse_split, read_split_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recombine.records.dataset import Dataset


@dataclass(frozen=True)
class Entry:
    """One data set of the catalogue."""

    name: str
    description: str
    hash: str
    load: Callable[[], Dataset]
    split_files: Callable[[], Mapping[str, Path]]
    order: Callable[[Dataset], list[str]]


def _entry(source: Any) -> Entry:
    """The entry of a module of this room."""
    return Entry(source.NAME, source.DESCRIPTION, source.HASH, source.load, source.split_files, source.line_order)


CATALOGUE = {source.NAME: _entry(source) for source in (scan, geoquery)}


def load(data: str | Path, *, source: str = "source", target: str = "target", language: str | None = None) -> Dataset:
    """A data set by its name in the catalogue, or from a file; `language` is that of its targets.

    >>> len(load("scan"))
    20910
    """
    name = str(data)
    found = None if language is None else find_language(language)
    if name in CATALOGUE:
        dataset = CATALOGUE[name].load()
        if dataset.hash != CATALOGUE[name].hash:
            raise RecombineError(
                f"{name} has the content hash {dataset.hash}, not {CATALOGUE[name].hash}",
                "use the published files, or install the package again",
            )
        return dataset if found is None else replace(dataset, language=found)
    if Path(name).exists() or "." in Path(name).name or isinstance(data, Path):
        return read_table(name, source=source, target=target, language=found)
    raise UnknownNameError("data set", name, CATALOGUE)


def line_order(dataset: Dataset) -> list[str]:
    """The ids of a data set by the line numbers that index files use."""
    if is_verified(dataset):
        return CATALOGUE[dataset.name].order(dataset)
    return [example.id for example in dataset]


def load_split(dataset: Dataset, split: str | Path | Split, *, verify: bool = True) -> Split:
    """A split of a data set: by id (`scan/mcd1` or `mcd1`), from a file of any known form, or as it is.

    With `verify`, a split that was made for other content is refused.
    """
    if isinstance(split, Split):
        return _checked(split, dataset, "the split") if verify else split
    name = str(split)
    short = name.removeprefix(f"{dataset.name}/")
    if is_verified(dataset) and not Path(name).exists():
        entry = CATALOGUE[dataset.name]
        files = entry.split_files()
        if short in files:
            found = parse_split(read_split_file(files[short]), files[short], dataset, entry.order(dataset))
            return replace(found, signature=found.signature.with_fields(split=short))
        if not Path(name).suffix:
            if not files:
                raise MissingDataError(
                    f"no published splits of {dataset.name} are on this machine",
                    "set RECOMBINE_DATA to the directory that holds them",
                )
            raise UnknownNameError(f"split of {dataset.name}", short, files)
    record = read_split_file(name)
    order = [] if record.get("form") == FORM else line_order(dataset)
    found = parse_split(record, name, dataset, order)
    if record.get("form") != FORM and not is_verified(dataset):
        found = replace(found, signature=found.signature.with_fields(verified=False))
    return _checked(found, dataset, name) if verify else found


def _checked(split: Split, dataset: Dataset, name: str) -> Split:
    if not split.fits(dataset):
        raise SplitError(
            f"{name}: was made for {split.data} with content {split.data_hash}, not for {dataset.name} with content "
            f"{dataset.hash}",
            "give the data the split was made for",
        )
    return split


def is_verified(dataset: Dataset) -> bool:
    """Whether the content is that of its catalogue entry, so that line numbers can be trusted."""
    return dataset.name in CATALOGUE and CATALOGUE[dataset.name].hash == dataset.hash
