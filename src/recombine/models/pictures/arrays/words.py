"""The words of questions and descriptions, numbered: 0 is no word, 1 one that is not known.

A text is in small letters; words are what is between spaces, with signs such as ? and , apart. Needs numpy alone.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

NOTHING, UNKNOWN = "", "<unknown>"
LONGEST = 120
"""The most words of a text."""
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def split_words(text: str) -> list[str]:
    """The words of a text.

    >>> split_words("Is the T-shirt red, or blue?")
    ['is', 'the', 't-shirt', 'red', ',', 'or', 'blue', '?']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class Words:
    """Words by number; the first two are `NOTHING` and `UNKNOWN`.

    >>> words = Words.of(["red boys", "red?"])
    >>> words.listed, words.numbers("red girls")
    (('', '<unknown>', '?', 'boys', 'red'), (4, 1))
    """

    listed: tuple[str, ...]
    _places: dict[str, int] = field(init=False, repr=False, compare=False)
    _known: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_places", {word: place for place, word in enumerate(self.listed)})
        object.__setattr__(self, "_known", {})

    @staticmethod
    def of(texts: Iterable[str]) -> Words:
        """The words of some texts, in the order of the alphabet."""
        # a text is cut at spaces first: there are few pieces that differ
        pieces = Counter(piece for text in texts for piece in text.split())
        words = {word for piece in pieces for word in split_words(piece)}
        return Words((NOTHING, UNKNOWN, *sorted(words)))

    def __len__(self) -> int:
        return len(self.listed)

    def with_more(self, texts: Iterable[str]) -> Words:
        """These words with the same numbers, and after them those of some texts that are not here.

        >>> Words.of(["red boys"]).with_more(["a red cap"]).listed
        ('', '<unknown>', 'boys', 'red', 'a', 'cap')
        """
        return Words((*self.listed, *(word for word in Words.of(texts).listed if word not in self._places)))

    def numbers(self, text: str) -> tuple[int, ...]:
        """The numbers of a text's words."""
        numbers: list[int] = []
        for piece in text.split():
            known = self._known.get(piece)
            if known is None:
                known = self._known[piece] = tuple(self._places.get(word, 1) for word in split_words(piece))
            numbers += known
        return tuple(numbers)

    def table(self, texts: Sequence[str]) -> NDArray[np.int16]:
        """The numbers of many texts, one row each, 0 after the end."""
        return padded([self.numbers(text) for text in texts])


def padded(rows: Sequence[Sequence[int]], *, fill: int = 0) -> NDArray[np.int16]:
    """Rows of numbers as one table as wide as the longest."""
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    width = int(lengths.max(initial=1))
    if width > LONGEST:
        raise OptionError(f"a text has {width} words", f"give texts of at most {LONGEST}")
    table = np.full((len(rows), max(1, width)), fill, dtype=np.int16)
    table[np.arange(table.shape[1]) < lengths[:, None]] = np.fromiter(
        (number for row in rows for number in row), dtype=np.int16, count=int(lengths.sum())
    )
    return table
