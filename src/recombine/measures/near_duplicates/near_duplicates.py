"""Test examples that are nearly in train.

A test and a train example are near duplicates where the Jaccard likeness of the words of their sources and that of the
tokens of their targets both reach a threshold, and their texts are not both the same: those are counted as verbatim.
Sets, so that order and repeats do not count. All pairs are looked at as long as there are few; of more, MinHash
proposes pairs that share a bucket, and each is judged by its true likeness. A pair whose likenesses both reach a
threshold has as much in its words and tokens together, so that one hash of them serves both sides; the number of hashes
in a bucket is chosen so that a pair right at the threshold is missed less than once in a thousand times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.errors import OptionError
from recombine.measures.near_duplicates.token_sets import TokenSets, token_sets
from recombine.records.chosen_examples import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.records.example import Example

THRESHOLD = 0.8
MOST_PAIRS = 25_000_000
"""All pairs are looked at up to this number; beyond it, MinHash proposes them."""
HASHES = 128
MISSED = 0.001
WORST = 10
"""So many pairs are named: the nearest, one for each test example."""
_SEED = 0x4EA2


class _Found(NamedTuple):
    near: NDArray[np.int64]
    best: NDArray[np.int64]
    likeness: NDArray[np.float64]


def check_threshold(threshold: float) -> float:
    """The threshold, when it is one."""
    if not isinstance(threshold, int | float) or not 0 < threshold <= 1:
        raise OptionError(
            f"the threshold of near duplicates is {threshold}", "give a number above 0 and up to 1, such as 0.8"
        )
    return float(threshold)


def near_duplicates(
    train: Sequence[Example], test: Sequence[Example], *, threshold: float = THRESHOLD, exact: bool | None = None
) -> dict[str, Any]:
    """How many test examples have a near duplicate in train, how many pairs of texts these are, and the nearest pairs.

    `exact` says whether all pairs are looked at; by default it depends on their number.

    >>> from recombine.records.example import Example
    >>> train = [Example.of("how many rivers are in texas ?", "count(river(loc(texas)))")]
    >>> test = [Example.of("how many rivers are in ohio ?", "count(river(loc(ohio)))")]
    >>> found = near_duplicates(train, test, threshold=0.7)
    >>> found["examples"], found["worst"][0]["source"]
    (1, 0.75)
    """
    threshold = check_threshold(threshold)
    (known, known_at), (asked, asked_at) = _distinct(train), _distinct(test)
    if exact is None:
        exact = len(known) * len(asked) <= MOST_PAIRS
    both = [*known, *asked]
    sides = [token_sets([text[side] for text in both], tag=tag) for side, tag in ((0, "source"), (1, "target"))]
    same = np.array([known.get(text, -1) for text in asked], np.int64)
    found = (_in_all if exact else _in_buckets)(sides[0], sides[1], len(known), same, threshold)
    rows = np.array([asked[text] for text in _pairs(test)], np.int64)
    return {
        "threshold": threshold,
        "examples": int((found.near[rows] > 0).sum()),
        "pairs": int(found.near.sum()),
        "found_by": "all pairs" if exact else f"minhash,{HASHES}",
        "worst": _worst(found, [train[at].id for at in known_at], [test[at].id for at in asked_at]),
    }


def near_signature(found: Mapping[str, Any]) -> str:
    """What decides the numbers of near duplicates, for a signature."""
    return f"{found['threshold']!r},words+tokens,{found['found_by'].replace(' ', '-').replace(',', '-')}"


def _pairs(examples: Sequence[Example]) -> Iterable[tuple[str, str]]:
    return zip(texts_of(examples, "source"), texts_of(examples, "target"), strict=True)


def _distinct(examples: Sequence[Example]) -> tuple[dict[tuple[str, str], int], list[int]]:
    """Each pair of texts once, by number, and where it is first."""
    numbers: dict[tuple[str, str], int] = {}
    first: list[int] = []
    for at, texts in enumerate(_pairs(examples)):
        if texts not in numbers:
            numbers[texts] = len(numbers)
            first.append(at)
    return numbers, first


def _nothing(asked: int) -> _Found:
    return _Found(np.zeros(asked, np.int64), np.full(asked, -1, np.int64), np.zeros((asked, 2)))


def _in_all(source: TokenSets, target: TokenSets, trained: int, same: NDArray[np.int64], threshold: float) -> _Found:
    from recombine.measures.near_duplicates.join_kernels import near_in_all

    found = _nothing(len(same))
    near_in_all(source.tokens, source.starts, target.tokens, target.starts, trained, same, threshold, *found)
    return found


def _in_buckets(
    source: TokenSets, target: TokenSets, trained: int, same: NDArray[np.int64], threshold: float
) -> _Found:
    from recombine.measures.near_duplicates.join_kernels import band_keys, near_in_buckets

    rows = rows_of(threshold)
    keys = np.zeros((trained + len(same), HASHES // rows), np.uint64)
    seeds = np.random.default_rng(_SEED).integers(0, 1 << 64, HASHES, np.uint64)
    band_keys(*source, *target, seeds, rows, keys)
    order = np.argsort(keys[:trained], axis=0, kind="stable").T.copy()
    left, right = (np.zeros((keys.shape[1], len(same)), np.int64) for _ in range(2))
    for band, places in enumerate(order):
        listed, wanted = keys[places, band], keys[trained:, band]
        left[band], right[band] = np.searchsorted(listed, wanted), np.searchsorted(listed, wanted, side="right")
    found = _nothing(len(same))
    near_in_buckets(
        source.tokens, source.starts, target.tokens, target.starts, trained, same, threshold, order, left, right, *found
    )
    return found


def rows_of(threshold: float) -> int:
    """How many hashes make a bucket: as many as find all but a few of the pairs right at the threshold.

    >>> rows_of(0.8), rows_of(0.5)
    (5, 2)
    """
    fit = [rows for rows in range(1, 17) if (1 - threshold**rows) ** (HASHES // rows) <= MISSED]
    return max(fit, default=1)


def _worst(found: _Found, known: Sequence[str], asked: Sequence[str]) -> list[dict[str, Any]]:
    """The nearest pairs, the nearest first; of equal ones in the order of test."""
    places = np.flatnonzero(found.best >= 0)
    likeness = found.likeness[places]
    order = np.lexsort((places, -likeness.sum(axis=1), -likeness.min(axis=1)))
    return [
        {
            "id": asked[place],
            "near": known[found.best[place]],
            "source": float(found.likeness[place, 0]),
            "target": float(found.likeness[place, 1]),
        }
        for place in places[order[:WORST]].tolist()
    ]
