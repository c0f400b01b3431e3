"""The tokens of a program's text, for definitions that take them as atoms (NQG paper, App. B.3, for SQL)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from recombine.structures.programs.tree_parts import counted_parts

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.structures.features import Features

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|[<>!=]+|\S""")


def program_tokens(text: str) -> list[str]:
    """Quoted strings, words, runs of comparison signs, and any other mark for itself.

    >>> program_tokens("select t1.name from dogs as t1 where breed >= 'a pug'")
    ['select', 't1', '.', 'name', 'from', 'dogs', 'as', 't1', 'where', 'breed', '>=', "'a pug'"]
    """
    return _TOKEN.findall(text)


def tokens(dataset: Dataset, value: str) -> Features:
    """The tokens of all targets of a data set, by `presence` or `counts`; each distinct target is divided once."""
    place: dict[str, int] = {}
    which = np.array([place.setdefault(target, len(place)) for target in dataset.texts("target")], np.int64)
    interned: dict[str, int] = {}
    parts: list[int] = []
    lengths: list[int] = []
    for target in place:
        found = program_tokens(target)
        parts += [interned.setdefault(token, len(interned)) for token in found]
        lengths.append(len(found))
    owners = np.repeat(np.arange(len(place)), np.array(lengths, np.int64))
    return counted_parts(owners, np.array(parts, np.int64), list(interned), which, value)
