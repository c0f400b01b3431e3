"""Targets of the copying decoder as words, and back, exactly.

Programs with blanks around every symbol are cut at blanks; others into runs of letters and digits, single blanks and
single other characters. Either way joining gives the text back. Sources are cut the same way, so that a word of a
source can be copied.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PIECE = re.compile(r"\w+|\s|[^\w\s]")
_JOINED = re.compile(r"[()\[\]{},;\s]")
PAD, END, START, UNKNOWN = range(4)
SPECIAL = ("<pad>", "<end>", "<start>", "<unknown>")


def cut(text: str, *, blanks: bool) -> list[str]:
    """The words of a text.

    >>> cut("count ( dog )", blanks=True), cut("count(dog)", blanks=False)
    (['count', '(', 'dog', ')'], ['count', '(', 'dog', ')'])
    """
    return text.split(" ") if blanks else _PIECE.findall(text)


def join(words: Iterable[str], *, blanks: bool) -> str:
    """The text of words."""
    return (" " if blanks else "").join(words)


def are_blanks(targets: Iterable[str]) -> bool:
    """Whether targets are cut at blanks: where no bracket, comma or semicolon sticks to anything.

    >>> are_blanks(["count ( dog )"]), are_blanks(["count ( dog )", "count(dog)"])
    (True, False)
    """
    return not any(len(word) > 1 and _JOINED.search(word) for target in targets for word in target.split(" "))


@dataclass(frozen=True)
class Words:
    """The words that a decoder can generate; the first four are special and no text can be mistaken for them."""

    known: tuple[str, ...]
    blanks: bool

    @classmethod
    def of(cls, targets: Iterable[str], least_count: int) -> Words:
        """The words of train targets that occur at least `least_count` times, in alphabetic order."""
        targets = list(targets)
        blanks = are_blanks(targets)
        counts = Counter(word for target in targets for word in cut(target, blanks=blanks))
        return cls(tuple(sorted(word for word, number in counts.items() if number >= least_count)), blanks)

    def __len__(self) -> int:
        return len(SPECIAL) + len(self.known)

    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.known, start=len(SPECIAL))}
