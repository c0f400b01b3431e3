"""What LXMERT is given: tokens of a question, and features and boxes of the regions of its pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays

LONGEST = 60
"""The most tokens of a question, as in the paper's program."""


@dataclass
class LxmertSight:
    """Questions with what is seen of their pictures."""

    tokenizer: Any
    texts: Sequence[str]
    shown: NDArray[np.int32]
    """[N, 5]: places of pictures, -1 where there is none."""
    features: NDArray[np.float16]
    pictures: PictureArrays

    def __post_init__(self) -> None:
        made = self.tokenizer(list(self.texts), padding=True, return_tensors="np")
        self._tokens, self._known = made["input_ids"], made["attention_mask"]
        self.cut = int((self._known.sum(1) > LONGEST).sum())
        """How many questions are longer, and lose their end."""
        self._tokens, self._known = self._tokens[:, :LONGEST], self._known[:, :LONGEST]

    def batch(self, rows: NDArray[np.int64], device: str) -> tuple[torch.Tensor, ...]:
        """What the net takes of some questions."""
        places = self.shown[rows]
        there = places >= 0
        at = np.where(there, places, 0)
        features = self.features[at].astype(np.float32) * there[..., None, None]
        boxes = self.pictures.boxes[at] * there[..., None, None]
        regions = np.where(there, self.pictures.regions[at], 0).astype(np.int64)
        given = (self._tokens[rows], self._known[rows], features, boxes.astype(np.float32), regions, there)
        return tuple(torch.from_numpy(np.ascontiguousarray(each)).to(device) for each in given)
