"""A text as words with their places, folded so that one name written in several ways is one sequence of words.

A word is a run of letters and digits; every other visible character is a word of its own, and `_` is a blank, as in
names such as `Ann_Other`. Case, accents, and the kinds of dashes, apostrophes and quotation marks do not count.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*|[^\w\s]")
_ALIKE = str.maketrans("’‘ʼ`´“”„«»–—‐‑−", "'''''\"\"\"\"\"-----")


class Words(NamedTuple):
    """The folded words of a text, and where each begins and ends in it."""

    texts: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def split_words(text: str) -> Words:
    """The words of a text.

    >>> split_words("Who’s Pokémon?")
    Words(texts=('who', "'", 's', 'pokemon', '?'), starts=(0, 3, 4, 6, 13), ends=(3, 4, 5, 13, 14))
    """
    found = list(_WORD.finditer(text))
    return Words(
        tuple(fold(match[0]) for match in found),
        tuple(match.start() for match in found),
        tuple(match.end() for match in found),
    )


def folded_words(text: str) -> list[str]:
    """The folded words alone, as `split_words` has them.

    >>> folded_words("Ann_Other – Vol. 3")
    ['ann', 'other', '-', 'vol', '.', '3']
    """
    if text.isascii():  # most names are, and folding a whole text costs as much as folding a word
        return _WORD.findall(text.lower().replace("`", "'"))
    return [fold(word) for word in _WORD.findall(text)]


def fold(word: str) -> str:
    """A word without case, accents and kinds of quotation marks."""
    if word.isascii():
        return "'" if word == "`" else word.lower()
    plain = unicodedata.normalize("NFKD", word.translate(_ALIKE).casefold())
    return "".join(mark for mark in plain if not unicodedata.combining(mark)).strip() or word


def is_symbol(word: str) -> bool:
    """Whether a word is a character that is neither letter nor digit."""
    return not word[0].isalnum()
