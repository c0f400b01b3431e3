"""An answer as plain text and as words: without capitals, quotation marks and more than one blank."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DROPPED = dict.fromkeys(map(ord, "'`*\"’‘“”´′_"))
_MOST = 1 << 14
"""The texts that are remembered: answers repeat."""
_LINE_ENDS = re.compile(r"\s*\n\s*")
_BLANKS = re.compile(r"[^\S\n]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORDS = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?|[^\W_]+")
_WORDS_AND_STAR = re.compile(_WORDS.pattern + r"|\*")


@lru_cache(maxsize=_MOST)
def plain(text: str, *, keep: str = "") -> str:
    """A text in small letters, its quotation marks gone; a line end is the end of a sentence.

    >>> plain("**Yes**, it's RED\\nLook!")
    'yes, its red. look!'
    """
    dropped = {mark: None for mark in _DROPPED if chr(mark) not in keep}
    text = unicodedata.normalize("NFKC", text).casefold().translate(dropped)
    return _BLANKS.sub(" ", _LINE_ENDS.sub(". ", text.strip("\r\n")))


@lru_cache(maxsize=_MOST)
def words(text: str, *, keep: str = "") -> tuple[str, ...]:
    """The words and numbers of a text.

    >>> words("About 1,250 T-shirts (3.5 each).")
    ('about', '1250', 't', 'shirts', '3.5', 'each')
    """
    found = _WORDS_AND_STAR if keep else _WORDS
    return tuple(found.findall(_THOUSANDS.sub("", plain(text, keep=keep))))
