"""From the vectors of a question's pictures to an answer: layers over the pictures and a [CLS], and a classifier.

The [CLS] starts from the number of pictures and the sum of their vectors; the order of pictures changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.pictures.nets.linear import (
    feed_forward,
    feed_forward_parameters,
    linear,
    next_norm,
    norm_parameters,
    self_attention,
    self_attention_parameters,
)
from recombine.models.pictures.picture_settings import IMAGES
from recombine.models.seq2seq.architectures.layers import embed
from recombine.models.seq2seq.architectures.parameters import Parameter

if TYPE_CHECKING:
    from recombine.models.pictures.nets.linear import Weights
    from recombine.models.pictures.picture_settings import PictureSettings


def question_parameters(settings: PictureSettings, answers: int) -> list[Parameter]:
    """The weights of the layers and of a classifier of so many answers."""
    d = settings.width
    made = [Parameter("images.number", (IMAGES + 1, d), "normal"), Parameter("images.sum", (d, d))]
    for layer in range(settings.image_layers):
        name = f"image{layer}"
        made += [
            *norm_parameters(f"{name}.norm1", d),
            *self_attention_parameters(f"{name}.self", d),
            *norm_parameters(f"{name}.norm2", d),
            *feed_forward_parameters(f"{name}.ffn", d, settings.filter_width),
        ]
    made += norm_parameters("image.norm", d)
    return [*made, Parameter("answers", (d, answers)), Parameter("answers.bias", (answers,), "zeros")]


def answer_scores(settings: PictureSettings, w: Weights, pictures: Tensor, number: Tensor) -> Tensor:
    """Picture vectors (K, B, N, D), of which the first `number` (K, B) are there -> scores (K, B, answers), 32 bits."""
    k, b, n, d = pictures.shape
    there = (torch.arange(n, device=pictures.device) < number[..., None])[..., None]
    first = embed(w["images.number"], number, 1.0, None) + linear((pictures * there).sum(2), w["images.sum"])
    rows = torch.cat([first[:, :, None], pictures], 2).view(k, -1, d)
    known = (number + 1).contiguous()
    total, x = next_norm(w, None, rows, None, "image0.norm1")
    for layer in range(settings.image_layers):
        name = f"image{layer}"
        y = self_attention(w, f"{name}.self", x, b, known, settings.heads)
        total, x = next_norm(w, total, y, f"{name}.self.out_bias", f"{name}.norm2")
        after = f"image{layer + 1}.norm1" if layer + 1 < settings.image_layers else "image.norm"
        total, x = next_norm(w, total, feed_forward(w, f"{name}.ffn", x), f"{name}.ffn.down_bias", after)
    return linear(x.view(k, b, n + 1, d)[:, :, 0], w["answers"], w["answers.bias"]).float()
