"""Texts that are almost SQL: queries with pieces dropped, doubled, moved and put in, made from a seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

_PIECES = re.compile(r"'(?:''|[^'])*'|\w+|\s+|[^\w\s]")
_SIGNS = ("(", ")", "'", '"', "`", "[", "]", "{", ",", ";", "--", "/*", "::", "->", "@", "$1", "?", ":x", "\\", "..")
_OTHERS = (
    "\x00",
    "é",
    "😀",
    "\n",
    "1e",
    "0x",
    "SELECT",
    "FROM",
    "WITH",
    "CASE",
    "END",
    "OVER",
    "AS",
    "NOT",
    "IN",
    "UNION",
)
_ODD = _SIGNS + _OTHERS


def fuzzed_texts(texts: Sequence[str], number: int, *, seed: int) -> Iterator[str]:
    """So many texts, each made of one of these by one to four changes."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        pieces = _PIECES.findall(texts[int(random.integers(len(texts)))])
        for _ in range(int(random.integers(1, 5))):
            place = int(random.integers(max(1, len(pieces))))
            change = int(random.integers(5))
            if change == 0:
                del pieces[place : place + 1]
            elif change == 1:
                pieces[place:place] = pieces[place : place + 1]
            elif change == 2:
                pieces.insert(place, _ODD[int(random.integers(len(_ODD)))])
            elif change == 3:
                pieces[place : place + 1] = [_ODD[int(random.integers(len(_ODD)))]]
            else:
                pieces = pieces[:place]
        yield "".join(pieces)
