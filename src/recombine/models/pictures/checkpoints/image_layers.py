"""Layers over the vectors of several pictures and a [CLS], and a classifier over all answers (COVR, 4)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class ImageLayers(nn.Module):
    """Vectors of pictures (B, N, D), of which some are there (B, N) -> scores of answers (B, A)."""

    def __init__(self, width: int, heads: int, layers: int, answers: int) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.zeros(width))
        layer = nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.answer = nn.Linear(width, answers)

    def forward(self, pictures: Tensor, there: Tensor) -> Tensor:
        """The scores of answers."""
        first = self.first.expand(len(pictures), 1, -1)
        seen = torch.cat([there.new_ones(len(pictures), 1), there], 1)
        read = self.layers(torch.cat([first, pictures], 1), src_key_padding_mask=~seen)
        scores: Tensor = self.answer(read[:, 0])
        return scores
