"""The region reader: the regions of each picture, and a [CLS] before them, read the text and one another.

A layer reads the text, attends within the picture, and computes a feed-forward network. A picture is read by itself, so
that a description of one picture is the same computation as a question about five. Nothing tells the pictures of a
question apart.
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
from recombine.models.seq2seq.architectures.layers import attention
from recombine.models.seq2seq.architectures.parameters import Parameter
from recombine.models.seq2seq.kernels.attention import LONGEST

if TYPE_CHECKING:
    from recombine.models.pictures.nets.linear import Weights
    from recombine.models.pictures.picture_settings import PictureSettings

WAVES = 4
PLACE = 7 + 8 * WAVES
"""Numbers that describe a box: its sides, size and shape, and sines and cosines of its sides."""


def region_parameters(settings: PictureSettings) -> list[Parameter]:
    """The weights of the reader."""
    d = settings.width
    made = [
        Parameter("region.feature", (settings.features, d)),
        Parameter("region.place", (PLACE, d), fans=(PLACE, PLACE)),
        Parameter("region.bias", (d,), "zeros"),
        Parameter("region.cls", (d,), "normal"),
    ]
    for layer in range(settings.region_layers):
        name = f"region{layer}"
        made += [
            *norm_parameters(f"{name}.norm1", d),
            Parameter(f"{name}.read.query", (d, d)),
            Parameter(f"{name}.read.text", (d, 2 * d), fans=(d, d)),
            Parameter(f"{name}.read.out", (d, d)),
            Parameter(f"{name}.read.out_bias", (d,), "zeros"),
            *norm_parameters(f"{name}.norm2", d),
            *self_attention_parameters(f"{name}.self", d),
            *norm_parameters(f"{name}.norm3", d),
            *feed_forward_parameters(f"{name}.ffn", d, settings.filter_width),
        ]
    return [*made, *norm_parameters("region.norm", d)]


def describe_boxes(boxes: Tensor) -> Tensor:
    """Boxes (…, 4) in shares of the picture -> (…, PLACE)."""
    low, high = boxes[..., :2], boxes[..., 2:]
    size = high - low
    waves = torch.pi * 2.0 ** torch.arange(WAVES, device=boxes.device)
    angles = (boxes[..., None] * waves).flatten(-2)
    shape = (size[..., :1] - size[..., 1:]) * 2
    return torch.cat([boxes * 2 - 1, size * 2 - 0.5, shape, angles.sin(), angles.cos()], -1)


def read_regions(
    settings: PictureSettings,
    w: Weights,
    text: Tensor,
    lengths: Tensor,
    features: Tensor,
    places: Tensor,
    regions: Tensor,
) -> Tensor:
    """What the [CLS] and the regions of each picture come to: (K, B, N, 1 + R, D).

    `text` (K, B, L, D) has `lengths` (K, B) words; a text has N pictures with `features` (K, B, N, R, F), described
    boxes `places` (K, B, N, R, PLACE) and so many `regions` (K, B, N).
    """
    k, b, n, r, _ = features.shape
    d, heads = settings.width, settings.heads
    start = linear(features, w["region.feature"], w["region.bias"]) + linear(places, w["region.place"])
    first = w["region.cls"][:, None, None, None].expand(k, b, n, 1, d)
    rows = torch.cat([first, start], 3).view(k, -1, d)
    known = (regions.view(k, -1) + 1).contiguous()
    total, x = next_norm(w, None, rows, None, "region0.norm1")
    for layer in range(settings.region_layers):
        name = f"region{layer}"
        y = _read(w, f"{name}.read", x.view(k, b, n, 1 + r, d), text, lengths, heads)
        total, x = next_norm(w, total, y, f"{name}.read.out_bias", f"{name}.norm2")
        y = self_attention(w, f"{name}.self", x, b * n, known, heads)
        total, x = next_norm(w, total, y, f"{name}.self.out_bias", f"{name}.norm3")
        after = f"region{layer + 1}.norm1" if layer + 1 < settings.region_layers else "region.norm"
        total, x = next_norm(w, total, feed_forward(w, f"{name}.ffn", x), f"{name}.ffn.down_bias", after)
    return x.view(k, b, n, 1 + r, d)


def _read(w: Weights, name: str, x: Tensor, text: Tensor, lengths: Tensor, heads: int) -> Tensor:
    """Attention to the text: x (K, B, N, T, D) -> rows (K, B·N·T, D), before the bias."""
    k, b, _, t, d = x.shape
    queries = linear(x, w[f"{name}.query"])
    pairs = linear(text, w[f"{name}.text"])
    together = max(1, LONGEST // t)  # as many pictures as the fused kernel holds
    parts = [
        attention(
            part.reshape(k, b, -1, d), pairs, lengths=lengths, heads=heads, causal=False, key=None, rate=0.0
        ).view(k, b, -1, t, d)
        for part in torch.split(queries, together, 2)
    ]
    out = parts[0] if len(parts) == 1 else torch.cat(parts, 2)
    return linear(out.reshape(k, -1, d), w[f"{name}.out"])
