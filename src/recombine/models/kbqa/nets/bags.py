"""Means of the vectors of texts' words, for encoders that read items apart from the question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor, cat, nn

from recombine.models.kbqa.nets.to_device import to_device

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.ragged import Ragged
    from recombine.models.kbqa.nets.batch import Batch

    Vectors = Callable[[NDArray[np.int64]], Tensor]
    """The vectors of pieces (N) by their numbers (N, width)."""


def link_and_item_means(batch: Batch, vectors: Vectors) -> Tensor:
    """The mean vectors of the words of each link and item of a batch (B, L + I, width); each text is read once."""
    links = _means(batch.links, batch.prepared.link_pieces, vectors)
    return cat([links, _means(batch.items, batch.prepared.item_pieces, vectors)], dim=1)


def _means(numbers: NDArray[np.int64], pieces: Ragged, vectors: Vectors) -> Tensor:
    once, back = np.unique(numbers.reshape(-1), return_inverse=True)
    # What is absent takes the first text's mean, which a mask hides.
    rows = [pieces[max(int(number), 0)] if len(pieces) else np.zeros(1, np.int32) for number in once]
    flat = vectors(np.concatenate([np.zeros(0, np.int64), *rows]).astype(np.int64))
    owners = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    means = bag_means(flat, owners, len(rows))
    return nn.functional.embedding(to_device(back.reshape(numbers.shape), flat.device), means)


def bag_means(vectors: Tensor, owners: NDArray[Any], number: int) -> Tensor:
    """The mean of the vectors of each owner, of which there are so many; zero for one without vectors."""
    sums = vectors.new_zeros(number, vectors.shape[1]).index_add_(0, to_device(owners, vectors.device), vectors)
    counts = np.maximum(np.bincount(owners, minlength=number), 1).astype(np.float32)
    return sums / to_device(counts, vectors.device)[:, None]
