"""Texts as sets of tokens: sorted numbers, all sets in one row of them."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens_of(text: str) -> list[str]:
    """Words and numbers in lower case, and each other sign by itself.

    >>> tokens_of("What's in Texas?"), tokens_of("count(state(all))")
    (['what', "'", 's', 'in', 'texas', '?'], ['count', '(', 'state', '(', 'all', ')', ')'])
    """
    return _TOKEN.findall(text.lower())


class TokenSets(NamedTuple):
    """The sets of some texts: set n is `tokens[starts[n] : starts[n + 1]]`, without repeats and in rising order."""

    tokens: NDArray[np.int64]
    starts: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    """A number for each token by its text alone, so that it is the same in every data set."""


def token_sets(texts: Sequence[str], *, tag: str) -> TokenSets:
    """The sets of texts; `tag` tells apart the hashes of equal tokens of two sides."""
    numbers: dict[str, int] = {}
    tokens: list[int] = []
    starts = [0]
    for text in texts:
        tokens += sorted({numbers.setdefault(token, len(numbers)) for token in tokens_of(text)})
        starts.append(len(tokens))
    hashed = [int.from_bytes(hashlib.blake2b(f"{tag} {token}".encode(), digest_size=8).digest()) for token in numbers]
    return TokenSets(np.array(tokens, np.int64), np.array(starts, np.int64), np.array(hashed, np.uint64))
