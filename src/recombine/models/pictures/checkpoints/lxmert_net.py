"""LXMERT under layers over pictures: the paper's model (COVR, 4).

It takes one picture: the question and a picture's regions give a [CLS], picture by picture, and layers over these give
the answer. Features of regions are the detector's, brought to the width that the checkpoint reads; the paper's came
from a detector trained on photographs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from recombine.models.pictures.checkpoints.image_layers import ImageLayers

if TYPE_CHECKING:
    from recombine.models.pictures.picture_settings import PictureSettings


class LxmertNet(nn.Module):
    """Question and regions of up to five pictures -> scores of answers."""

    def __init__(self, model: Any, settings: PictureSettings, answers: int) -> None:
        super().__init__()
        self.model = model
        self.see = nn.Linear(settings.features, model.config.visual_feat_dim)
        width, heads = model.config.hidden_size, model.config.num_attention_heads
        self.head = ImageLayers(width, heads, settings.image_layers, answers)

    def forward(
        self, tokens: Tensor, known: Tensor, features: Tensor, boxes: Tensor, regions: Tensor, there: Tensor
    ) -> Tensor:
        """Of tokens (B, L), features (B, N, R, F), boxes (B, N, R, 4), numbers of regions and what is there (B, N)."""
        b, n, r, _ = features.shape
        real = torch.arange(r, device=regions.device) < regions[..., None]
        real[..., 0] |= ~there  # a picture that is none has one region of nothing, and is masked afterwards
        read = self.model(
            input_ids=tokens.repeat_interleave(n, 0),
            attention_mask=known.repeat_interleave(n, 0),
            visual_feats=self.see(features).flatten(0, 1),
            visual_pos=boxes.flatten(0, 1),
            visual_attention_mask=real.flatten(0, 1).to(features.dtype),
        )
        scores: Tensor = self.head(read.pooled_output.view(b, n, -1), there)
        return scores
