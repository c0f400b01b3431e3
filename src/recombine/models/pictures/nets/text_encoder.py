"""The text encoder: a text is read alone, once for all pictures, with relative positions.

Layers normalise before they compute. In attention, pairs of numbers of each query and key are turned by an angle that
grows with the position of the word, so that a score depends on how far apart two words are, not on where they stand.
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
    self_attention_parameters,
)
from recombine.models.seq2seq.architectures.layers import attention, embed
from recombine.models.seq2seq.architectures.parameters import Parameter

if TYPE_CHECKING:
    from recombine.models.pictures.nets.linear import Weights
    from recombine.models.pictures.picture_settings import PictureSettings

SLOWEST = 1000.0
"""The slowest angle turns once over 2π times so many words."""


def text_parameters(settings: PictureSettings, words: int) -> list[Parameter]:
    """The weights of the encoder for so many words, padding and the unknown word counted."""
    d = settings.width
    made = [Parameter("words", (words, d), "normal")]
    for layer in range(settings.text_layers):
        name = f"text{layer}"
        made += [
            *norm_parameters(f"{name}.norm1", d),
            *self_attention_parameters(f"{name}.self", d),
            *norm_parameters(f"{name}.norm2", d),
            *feed_forward_parameters(f"{name}.ffn", d, settings.filter_width),
        ]
    return [*made, *norm_parameters("text.norm", d)]


def read_text(settings: PictureSettings, w: Weights, tokens: Tensor) -> Tensor:
    """Tokens (K, B, L), 0 where a text is over -> vectors (K, B, L, D)."""
    k, b, length = tokens.shape
    d, layers = settings.width, settings.text_layers
    rows = embed(w["words"], tokens.reshape(k, -1), d**0.5, None)
    lengths = (tokens != 0).sum(2)
    total, x = next_norm(w, None, rows, None, "text0.norm1")
    for layer in range(layers):
        name = f"text{layer}"
        y = _attend(w, name, x.view(k, b, length, d), lengths, settings.heads)
        total, x = next_norm(w, total, y, f"{name}.self.out_bias", f"{name}.norm2")
        after = f"text{layer + 1}.norm1" if layer + 1 < layers else "text.norm"
        total, x = next_norm(w, total, feed_forward(w, f"{name}.ffn", x), f"{name}.ffn.down_bias", after)
    return x.view(k, b, length, d)


def _attend(w: Weights, name: str, x: Tensor, lengths: Tensor, heads: int) -> Tensor:
    """Attention by distances: x (K, B, L, D) -> rows (K, B·L, D), before the bias."""
    k, _, _, d = x.shape
    joint = turn(linear(x, w[f"{name}.self.joint"]), heads)
    out = attention(joint, None, lengths=lengths, heads=heads, causal=False, key=None, rate=0.0)
    return linear(out.reshape(k, -1, d), w[f"{name}.self.out"])


def turn(joint: Tensor, heads: int) -> Tensor:
    """Queries, keys and values side by side (K, B, L, 3D), of which queries and keys are turned by their positions."""
    k, b, length, wide = joint.shape
    half = wide // (6 * heads)
    rates = SLOWEST ** (-torch.arange(half, device=joint.device) / max(1, half))
    angles = torch.arange(length, device=joint.device)[:, None] * rates  # (L, C/2)
    cosines, sines = (each.to(joint.dtype)[:, None, None] for each in (angles.cos(), angles.sin()))
    parts = joint.view(k, b, length, 3, heads, 2, half)
    first, second = parts[:, :, :, :2, :, 0], parts[:, :, :, :2, :, 1]
    turned = torch.stack([first * cosines - second * sines, first * sines + second * cosines], 5)
    return torch.cat([turned, parts[:, :, :, 2:]], 3).view(k, b, length, wide)
