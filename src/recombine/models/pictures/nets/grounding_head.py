"""Which regions of a picture a word means, and what a picture comes to.

The score of a word and a region is a product of their vectors; its logistic function is the probability that the word
means the region. A picture's vector is its [CLS] and, where the setting `grounded` says so, a *grounded read*: each
head chooses words of the text, and takes the sum of the regions that these words mean, weighted by their
probabilities, and how many they are. A sum keeps counts, which an average loses.
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
)
from recombine.models.seq2seq.architectures.parameters import Parameter

if TYPE_CHECKING:
    from recombine.models.pictures.nets.linear import Weights
    from recombine.models.pictures.picture_settings import PictureSettings


def grounding_parameters(settings: PictureSettings) -> list[Parameter]:
    """The weights of the scores, of a picture's vector and of the presence."""
    d = settings.width
    made = [
        Parameter("ground.word", (d, d)),
        Parameter("ground.region", (d, d)),
        Parameter("ground.bias", (1,), "zeros"),
        Parameter("presence.weight", (d, 1)),
        Parameter("presence.bias", (1,), "zeros"),
    ]
    if settings.grounded:
        made += [
            Parameter("sum.query", (d, d)),
            Parameter("sum.key", (d, d)),
            Parameter("sum.value", (d, d)),
            Parameter("sum.count", (settings.heads, d)),
            Parameter("sum.out", (d, d)),
            Parameter("sum.out_bias", (d,), "zeros"),
        ]
    return [
        *made,
        *norm_parameters("picture.norm", d),
        *feed_forward_parameters("picture.ffn", d, settings.filter_width),
        *norm_parameters("picture.end", d),
    ]


def word_scores(w: Weights, words: Tensor, regions: Tensor) -> Tensor:
    """Scores of words (K, B, L, D) and regions (K, B, N, R, D): (K, B, N, L, R) in 32 bits."""
    k, b, n, r, d = regions.shape
    left = linear(words, w["ground.word"])
    right = linear(regions, w["ground.region"]).view(k, b, n * r, d)
    scores = (left @ right.mT).float() * d**-0.5 + w["ground.bias"].float()[:, :, None, None]
    out: Tensor = scores.view(k, b, -1, n, r).transpose(2, 3)
    return out


def picture_vectors(
    settings: PictureSettings, w: Weights, text: Tensor, lengths: Tensor, read: Tensor, regions: Tensor
) -> Tensor:
    """The vector of each picture (K, B, N, D), from what the reader gave (K, B, N, 1 + R, D)."""
    k, b, n, _, d = read.shape
    cls = read[:, :, :, 0].reshape(k, -1, d)
    y, bias = torch.zeros_like(cls), None
    if settings.grounded:
        y, bias = _grounded_read(settings, w, text, lengths, read, regions), "sum.out_bias"
    total, x = next_norm(w, cls.float(), y, bias, "picture.norm")
    _, out = next_norm(w, total, feed_forward(w, "picture.ffn", x), "picture.ffn.down_bias", "picture.end")
    return out.view(k, b, n, d)


def _grounded_read(
    settings: PictureSettings, w: Weights, text: Tensor, lengths: Tensor, read: Tensor, regions: Tensor
) -> Tensor:
    """The sums over the regions that chosen words mean: rows (K, B·N, D), before the bias."""
    k, b, n, t, d = read.shape
    heads, r = settings.heads, t - 1
    cls, objects = read[:, :, :, 0], read[:, :, :, 1:].contiguous()
    queries = linear(cls, w["sum.query"]).view(k, b, n, heads, -1).transpose(2, 3).reshape(k, b, heads, n, -1)
    keys = linear(text, w["sum.key"]).view(k, b, -1, heads, d // heads).transpose(2, 3)  # (K, B, H, L, C)
    seen = torch.arange(text.shape[2], device=text.device) < lengths[..., None]
    chosen = (queries @ keys.mT).float() * (d // heads) ** -0.5
    chosen = chosen.masked_fill(~seen[:, :, None, None], -1e9).softmax(-1)  # (K, B, H, N, L)
    real = torch.arange(r, device=text.device) < regions[..., None]  # (K, B, N, R)
    meant = word_scores(w, text, objects).sigmoid() * real[:, :, :, None]  # (K, B, N, L, R)
    shares = chosen.transpose(2, 3).to(text.dtype) @ meant.to(text.dtype)  # (K, B, N, H, R)
    values = linear(objects, w["sum.value"]).view(k, b, n, r, heads, -1).transpose(3, 4)  # (K, B, N, H, R, C)
    sums = (shares[..., None, :] @ values).reshape(k, -1, d)
    counts = linear(shares.sum(-1), w["sum.count"]).view(k, -1, d)
    return linear(sums, w["sum.out"]) + counts


def presence_scores(w: Weights, pictures: Tensor) -> Tensor:
    """The score that a description holds of a picture: vectors (K, B, N, D) -> (K, B, N) in 32 bits."""
    return linear(pictures, w["presence.weight"], w["presence.bias"])[..., 0].float()
