"""Fixed vectors of words from a file: they are not tuned (GrailQA, section 5.2). Words it lacks share a learned one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from recombine.models.kbqa.nets.bags import link_and_item_means
from recombine.models.kbqa.nets.to_device import to_device
from recombine.models.kbqa.nets.words_of import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from recombine.models.kbqa.nets.batch import Batch
    from recombine.models.kbqa.nets.read_vectors import WordVectors

UNKNOWN = 0


class VectorsEncoder(nn.Module):
    """Fixed vectors, which are no part of the trained weights; a piece is the number of a word."""

    def __init__(self, vectors: WordVectors) -> None:
        super().__init__()
        self.width = vectors.vectors.shape[1]
        self._known = {word: number for number, word in enumerate(vectors.words, UNKNOWN + 1)}
        self.missing: set[str] = set()
        """Words that were met and have no vector."""
        table = np.concatenate([np.zeros((1, self.width), np.float32), vectors.vectors])
        self.register_buffer("_table", torch.from_numpy(table), persistent=False)
        self.unknown = nn.Parameter(torch.zeros(self.width))

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The numbers of texts' words; a text without any is one unknown word."""
        cut = [words_of(text) or [""] for text in texts]
        self.missing.update(word for words in cut for word in words if word not in self._known)
        return [[self._known.get(word, UNKNOWN) for word in words] for words in cut]

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Vectors of the questions' words, and means of those of links and items."""
        flat = self._vectors(batch.pieces.reshape(-1))
        return flat.reshape(*batch.pieces.shape, self.width), link_and_item_means(batch, self._vectors)

    def _vectors(self, numbers: NDArray[np.int64]) -> Tensor:
        table = self.get_buffer("_table")
        at = to_device(numbers, table.device)
        return nn.functional.embedding(at, table) + (at == UNKNOWN)[:, None] * self.unknown

    def slow_weights(self) -> Iterable[nn.Parameter]:
        """None."""
        return ()
