"""Questions joined with the words of their forms, in chunks that a transformer reads (GrailQA, section 4.2).

A chunk is `[CLS] question [SEP] item ; item ; … [SEP]`. The links of a question come first, then its items in order.
A question has at least one chunk, and none is longer than the transformer reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.nets.batch import ABSENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.kbqa.nets.batch import Batch

NOBODY = -1
"""The owner of tokens that are of no link or item."""
_BEGIN, _SEPARATE, _BETWEEN = -3, -2, -1


@dataclass(frozen=True, slots=True)
class Chunks:
    """Tokens of chunks, one chunk after the other."""

    tokens: NDArray[np.int64]
    begins: NDArray[np.int64]
    """Where each chunk begins among the tokens; one more than there are chunks."""
    owners: NDArray[np.int64]
    """Of each token, the place of its link or item in the batch's table of links and items, flat; or `NOBODY`."""
    asked: NDArray[np.int64]
    """Of each token, the place of its piece in the batch's table of questions, flat, if it is of a question's first
    chunk; else `NOBODY`."""
    second: NDArray[np.int64]
    """1 for tokens after the question, else 0."""


def make_chunks(batch: Batch, specials: tuple[int, int, int], most: int, longest: int) -> Chunks:
    """The chunks of a batch with at most so many items and tokens each.

    `specials` are the tokens that begin, separate the question from its items, and stand between items.
    """
    prepared = batch.prepared
    store = prepared.all_pieces
    links = len(prepared.question_pieces)
    items = links + len(prepared.link_pieces)
    sizes = store.sizes
    segments: list[NDArray[np.int64]] = []
    owners: list[NDArray[np.int64]] = []
    firsts: list[bool] = []
    width = batch.links.shape[1] + batch.items.shape[1]
    for place, row in enumerate(batch.rows):
        own = np.concatenate([batch.links[place], batch.items[place]])
        kept = np.flatnonzero(own != ABSENT)
        entries = own[kept] + np.where(kept < batch.links.shape[1], links, items)
        room = longest - int(sizes[row]) - 3
        for number, (low, high) in enumerate(_cut(sizes[entries] + 1, most, room)):
            made = np.full(3 + 2 * (high - low), _BETWEEN, np.int64)
            made[:3] = _BEGIN, row, _SEPARATE
            made[3::2] = entries[low:high]
            made[-1] = _SEPARATE
            owner = np.full(len(made), NOBODY, np.int64)
            owner[3::2] = place * width + kept[low:high]
            segments.append(made)
            owners.append(owner)
            firsts.append(number == 0)
    return _tokens(specials, segments, owners, np.array(firsts), batch)


def _cut(sizes: NDArray[np.int64], most: int, room: int) -> list[tuple[int, int]]:
    """From where to where the entries of each chunk go."""
    evenly = [(low, min(low + most, len(sizes))) for low in range(0, len(sizes), most)] or [(0, 0)]
    if all(int(sizes[low:high].sum()) <= room for low, high in evenly):
        return evenly
    made, low, used = [], 0, 0
    for high, size in enumerate(sizes):
        if high > low and (used + size > room or high - low == most):
            made.append((low, high))
            low, used = high, 0
        used += int(size)
    return [*made, (low, len(sizes))]


def _tokens(
    specials: tuple[int, int, int],
    segments: list[NDArray[np.int64]],
    owners: list[NDArray[np.int64]],
    firsts: NDArray[np.bool_],
    batch: Batch,
) -> Chunks:
    counts = np.array([len(each) for each in segments])
    flat, chunk = np.concatenate(segments), np.repeat(np.arange(len(segments)), counts)
    store = batch.prepared.all_pieces
    sizes = np.where(flat < 0, 1, store.sizes[flat])
    begins = np.zeros(len(segments) + 1, np.int64)
    np.cumsum(np.bincount(chunk, sizes, len(segments)).astype(np.int64), out=begins[1:])
    starts = np.cumsum(sizes) - sizes
    within = np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
    at = np.repeat(np.where(flat < 0, 0, store.begins[flat]), sizes) + within
    special = np.repeat(np.array(specials)[np.minimum(flat, -1)], sizes)
    tokens = np.where(np.repeat(flat < 0, sizes), special, store.values[at]).astype(np.int64)
    order = np.arange(len(flat)) - np.repeat(np.cumsum(counts) - counts, counts)
    asking = (order == 1) & firsts[chunk]
    question = np.cumsum(firsts) - 1
    asked = np.where(
        np.repeat(asking, sizes), np.repeat(question[chunk], sizes) * batch.pieces.shape[1] + within, NOBODY
    )
    second = np.repeat(order > 2, sizes).astype(np.int64)
    return Chunks(tokens, begins, np.repeat(np.concatenate(owners), sizes), asked, second)
