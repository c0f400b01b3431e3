"""The tokens of a program's text, for definitions that take them as atoms (NQG paper, App. B.3, for SQL)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.records.derivation import Derivation

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|[<>!=]+|\S""")


def program_tokens(text: str) -> list[str]:
    """Quoted strings, words, runs of comparison signs, and any other mark for itself.

    >>> program_tokens("select t1.name from dogs as t1 where breed >= 'a pug'")
    ['select', 't1', '.', 'name', 'from', 'dogs', 'as', 't1', 'where', 'breed', '>=', "'a pug'"]
    """
    return _TOKEN.findall(text)


def token_graphs(dataset: Dataset) -> list[Derivation]:
    """The tokens of all targets of a data set, as graphs without edges."""
    return [Derivation(tuple(program_tokens(example.target)), ()) for example in dataset]
