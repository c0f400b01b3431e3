"""How alike pairs of wordings are, in the mean (GrailQA, section 3.2).

Texts are lower-cased and blanks made one. Words stand between blanks, less the signs at their ends. What two texts
share is Jaccard's share of distinct words, or of distinct pairs of neighbouring words, and 1 where neither has any.
Edits are Levenshtein's, of characters.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

_SIGNS = "?!.,;:\"'`´’‘“”«»()[]{}<>…"


@dataclass(frozen=True)
class Likeness:
    """Means over pairs, and over the texts that are in one."""

    pairs: int
    """How many pairs were compared."""
    all_pairs: int
    """How many there are; where it is more, those that were compared were drawn evenly."""
    unigrams: float
    bigrams: float
    edits: float
    words: float
    """Words of a text."""
    characters: float

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)


def plain_words(text: str) -> list[str]:
    """The words of a text.

    >>> plain_words("Who's  the author of 'Emma'?")
    ["who's", 'the', 'author', 'of', 'emma']
    """
    return [word for piece in text.lower().split() if (word := piece.strip(_SIGNS))]


def likeness(
    texts: Sequence[str], left: NDArray[np.int64], right: NDArray[np.int64], *, all_pairs: int | None = None
) -> Likeness | None:
    """How alike the texts of pairs are, each pair by its places among texts; nothing where there is no pair.

    >>> found = likeness(["Who wrote Emma?", "who is Emma's author"], np.array([0]), np.array([1]))
    >>> found.unigrams, found.bigrams, found.edits, found.words
    (0.16666666666666666, 0.0, 14.0, 3.5)
    """
    if not len(left):
        return None
    from recombine.measures.wordings.pair_kernels import edit_distances

    left, right = (np.ascontiguousarray(side, np.int64) for side in (left, right))  # kernels are made for such arrays
    plain = [" ".join(text.lower().split()) for text in texts]
    words = [plain_words(text) for text in texts]
    codes, starts, alphabet = _coded(plain)
    edits = edit_distances(codes, starts, left, right, alphabet)
    used = np.unique(np.concatenate([left, right])).tolist()
    return Likeness(
        len(left),
        len(left) if all_pairs is None else all_pairs,
        _jaccard(words, left, right, lambda each: each),
        _jaccard(words, left, right, lambda each: list(pairwise(each))),
        float(edits.mean()),
        sum(len(words[place]) for place in used) / len(used),
        sum(len(plain[place]) for place in used) / len(used),
    )


def _coded(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The characters of all texts by number, where each text begins, and how many characters are known."""
    points = np.array([ord(sign) for text in texts for sign in text], np.int64)
    known, codes = np.unique(points, return_inverse=True)
    starts = np.concatenate(([0], np.cumsum([len(text) for text in texts], dtype=np.int64)))
    return codes.astype(np.int64), starts.astype(np.int64), max(1, len(known))


def _jaccard(
    words: Sequence[list[str]],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    parts: Callable[[list[str]], Sequence[Hashable]],
) -> float:
    """The mean share of the parts of two texts that both have."""
    from recombine.measures.wordings.pair_kernels import shared_numbers

    number: dict[Hashable, int] = {}
    rows = [
        np.array(sorted({number.setdefault(part, len(number)) for part in parts(each)}), np.int64) for each in words
    ]
    sizes = np.array([len(row) for row in rows], np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    shared = shared_numbers(np.concatenate([np.zeros(0, np.int64), *rows]), starts, left, right)
    either = sizes[left] + sizes[right] - shared
    return float(np.where(either > 0, shared / np.maximum(either, 1), 1.0).mean())
