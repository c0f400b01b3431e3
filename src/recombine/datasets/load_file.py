"""A file of the user's, from the cache where it takes long to read.

The key is made of the file's bytes and its sidecar's, of its name, of the fields and the language that were asked for,
and of the code that reads. Small files are read as quickly as they are looked up; the columns of very large ones would
fill the cache, and memory while they are made. What is said while a file is read, such as that a TSV has no header, is
said every time, so that a file of which something is said is not kept; nor is one that has a world. Whether what cannot
be read is left out is part of the key too; where something was, that is said.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

from recombine.datasets.files.sidecar import sidecar_path
from recombine.datasets.files.tables import read_table
from recombine.datasets.load_cached import load_cached
from recombine.records.skipping import skips
from recombine.records.unreadable import Unreadable

if TYPE_CHECKING:
    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.records.world import World, WorldReference

LEAST, MOST = 1 << 20, 64 << 20
"""The bytes that a file has at least and at most to be kept."""
_SAID: dict[Any, Any] = {}
"""What was said before, as Python's warnings keep it: once for each message."""


def load_file(
    path: str,
    *,
    fields: tuple[str, str],
    language: Language | None = None,
    world: str | Path | World | WorldReference | None = None,
) -> Dataset:
    """The data in a file, of which `fields` are the sources and targets."""

    def load() -> Dataset:
        return read_table(path, source=fields[0], target=fields[1], language=language, world=world)

    def load_listening() -> Dataset:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            loaded = load()
        for each in said:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno, registry=_SAID)
        left_out = loaded.unreadable is not None and bool(loaded.unreadable.records)
        return replace(loaded, fields=fields) if said or left_out else loaded  # what has fields is not kept

    if world is not None or not _is_worth_keeping(path):
        return load()
    inputs = [Path(path), *(each for each in [sidecar_path(path)] if each.exists())]
    asked = (*fields, "" if language is None else language.name, *(["skip unreadable"] if skips() else []))
    loaded = load_cached(load_listening, Path(Path(path).name.removesuffix(".gz")).stem, inputs, {}, asked=asked)
    if skips() and loaded.unreadable is None:  # it is from the cache, where nothing was left out
        return replace(loaded, unreadable=Unreadable(path, len(loaded)))
    return loaded


def _is_worth_keeping(path: str) -> bool:
    try:
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):  # whoever reads it says what is wrong
        return False
    return S_ISREG(status.st_mode) and LEAST <= status.st_size <= MOST
