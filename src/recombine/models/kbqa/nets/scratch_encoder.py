"""Vectors of words learned from scratch: one for each word known from training, and parts of words for the others.

A word's vector is the sum of its own (words not in the list share one) and the mean of its parts': its three-letter
pieces, which fall into a fixed number of places by a hash. So that a name that training never saw is still read alike
in a question and as a link.
"""

from __future__ import annotations

import zlib
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor, nn

from recombine.models.kbqa.nets.bags import bag_means, link_and_item_means
from recombine.models.kbqa.nets.to_device import to_device
from recombine.models.kbqa.nets.words_of import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from recombine.models.kbqa.nets.batch import Batch

UNKNOWN = 0
PARTS = 4096
"""Places that parts of words fall into."""


def known_words(texts: Iterable[str], least: int = 2) -> tuple[str, ...]:
    """The words that are in so many of the texts, in order.

    >>> known_words(["who directed", "who wrote"])
    ('who',)
    """
    counts = Counter(word for text in texts for word in sorted(set(words_of(text))))
    return tuple(sorted(word for word, count in counts.items() if count >= least))


def word_parts(word: str) -> list[int]:
    """The places of a word's three-letter pieces.

    >>> word_parts("ab") == word_parts("ab"), len(word_parts("abcd"))
    (True, 4)
    """
    marked = f"<{word}>"
    return [zlib.crc32(marked[at : at + 3].encode()) % PARTS for at in range(max(1, len(marked) - 2))]


class ScratchEncoder(nn.Module):
    """Learned vectors; a piece is the number of a word in the order in which words were met."""

    def __init__(self, words: Sequence[str], width: int) -> None:
        super().__init__()
        self.words, self.width = tuple(words), width
        self._known = {word: number for number, word in enumerate(self.words, UNKNOWN + 1)}
        self._met: dict[str, int] = {}
        self._own: list[int] = []
        self._parts: list[list[int]] = []
        self.own = nn.Embedding(len(self.words) + 1, width)
        self.parts = nn.Embedding(PARTS, width)
        nn.init.normal_(self.own.weight, std=0.5)
        nn.init.normal_(self.parts.weight, std=0.5)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The numbers of texts' words; a text without any is one unknown word."""
        return [[self._number(word) for word in words_of(text) or [""]] for text in texts]

    def _number(self, word: str) -> int:
        if word not in self._met:
            self._met[word] = len(self._met)
            self._own.append(self._known.get(word, UNKNOWN))
            self._parts.append(word_parts(word))
        return self._met[word]

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Vectors of the questions' words, and means of those of links and items."""
        flat = self._vectors(batch.pieces.reshape(-1))
        return flat.reshape(*batch.pieces.shape, self.width), link_and_item_means(batch, self._vectors)

    def _vectors(self, numbers: NDArray[np.int64]) -> Tensor:
        """The vectors of words by their numbers (N, width)."""
        device = self.own.weight.device
        once, back = np.unique(numbers, return_inverse=True)
        own = np.array([self._own[number] for number in once], np.int64)
        parts = [self._parts[number] for number in once]
        flat = np.array([part for each in parts for part in each], np.int64)
        owners = np.repeat(np.arange(len(parts)), [len(each) for each in parts])
        made = self.own(to_device(own, device)) + bag_means(self.parts(to_device(flat, device)), owners, len(parts))
        return nn.functional.embedding(to_device(back.reshape(-1), device), made)

    def slow_weights(self) -> Iterable[nn.Parameter]:
        """None."""
        return ()
