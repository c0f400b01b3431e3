"""Data that a loader makes, kept in the user's cache: what it is made from decides the key.

The key is made of the loader's name and options, the bytes of the files that it reads, the version of the form, and
the code of the rooms that data is made in, and of nothing else. What columns cannot hold (a world, the user's own
fields) is not kept, and is loaded every time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.data_cache import cache_folder, code_digest, content_key, read_stored, store
from recombine.max_unpacked import DEFAULT, max_unpacked
from recombine.records.columns import FORM
from recombine.records.dataset import Dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from recombine.records.dataset import Pattern

ROOMS = ("languages", "records", "grammars", "datasets")
"""The rooms whose code decides what data is made of the same files."""


def load_cached(
    load: Callable[[], Dataset],
    name: str,
    inputs: Iterable[Path],
    patterns: Mapping[str, Pattern],
    *,
    asked: Sequence[str] = (),
) -> Dataset:
    """What `load` makes of its inputs, from the cache where it is there, and kept there where it is not.

    `asked` are the options that decide what is made of them.
    """
    # Whoever lowers the limit on what is read wants to hear of what is larger, so that it is read.
    if cache_folder() is None or max_unpacked() < DEFAULT:
        return load()
    paths = list(inputs)
    try:
        key = data_key(name, paths, asked)
    except OSError:  # the loader says what is wrong with the file
        return load()
    table = read_stored(key)
    if table is not None:
        return Dataset.of_columns(name, table, patterns=patterns, made_from=key)
    dataset = load()
    kept = dataset.name == name and dataset.patterns == patterns
    kept = kept and (dataset.world, dataset.fields, dataset.path) == (None, None, None)
    # A file may have been changed while it was read.
    if kept and (columns := dataset.columns()) is not None and data_key(name, paths, asked) == key:
        store(key, columns)
        return replace(dataset, made_from=key)
    return dataset


def data_key(name: str, paths: Sequence[Path], asked: Sequence[str] = ()) -> str:
    """The key of what the loader of a name makes of these files."""
    texts = [f"{name} {FORM} {len(asked)}", *asked]
    return content_key([*(text.encode() for text in texts), code_digest(ROOMS), *(path.read_bytes() for path in paths)])
