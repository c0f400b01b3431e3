"""The text encoder: a text is read alone, once for all pictures, with relative positions.

Layers normalise before they compute. Attention adds to each score a learned number for the head and the distance of the
two words, up to FARTHEST; words that are farther apart share it.
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
from recombine.models.seq2seq.architectures.layers import embed
from recombine.models.seq2seq.architectures.parameters import Parameter

if TYPE_CHECKING:
    from recombine.models.pictures.nets.linear import Weights
    from recombine.models.pictures.picture_settings import PictureSettings

FARTHEST = 16


def text_parameters(settings: PictureSettings, words: int) -> list[Parameter]:
    """The weights of the encoder for so many words, padding and the unknown word counted."""
    d = settings.width
    made = [Parameter("words", (words, d), "normal")]
    for layer in range(settings.text_layers):
        name = f"text{layer}"
        made += [
            *norm_parameters(f"{name}.norm1", d),
            *self_attention_parameters(f"{name}.self", d),
            Parameter(f"{name}.distance", (2 * FARTHEST + 1, settings.heads), "zeros"),
            *norm_parameters(f"{name}.norm2", d),
            *feed_forward_parameters(f"{name}.ffn", d, settings.filter_width),
        ]
    return [*made, *norm_parameters("text.norm", d)]


def read_text(settings: PictureSettings, w: Weights, tokens: Tensor) -> Tensor:
    """Tokens (K, B, L), 0 where a text is over -> vectors (K, B, L, D)."""
    k, b, length = tokens.shape
    d, layers = settings.width, settings.text_layers
    rows = embed(w["words"], tokens.reshape(k, -1), d**0.5, None)
    seen = (tokens != 0)[:, :, None, None]  # (K, B, 1, 1, L)
    total, x = next_norm(w, None, rows, None, "text0.norm1")
    for layer in range(layers):
        name = f"text{layer}"
        y = _attend(w, name, x.view(k, b, length, d), seen, settings.heads)
        total, x = next_norm(w, total, y, f"{name}.self.out_bias", f"{name}.norm2")
        after = f"text{layer + 1}.norm1" if layer + 1 < layers else "text.norm"
        total, x = next_norm(w, total, feed_forward(w, f"{name}.ffn", x), f"{name}.ffn.down_bias", after)
    return x.view(k, b, length, d)


def _attend(w: Weights, name: str, x: Tensor, seen: Tensor, heads: int) -> Tensor:
    """Attention with distances: x (K, B, L, D) -> rows (K, B·L, D), before the bias."""
    k, b, length, d = x.shape
    joint = linear(x, w[f"{name}.self.joint"], w[f"{name}.self.joint_bias"])
    queries, keys, values = joint.view(k, b, length, 3, heads, d // heads).permute(3, 0, 1, 4, 2, 5).unbind(0)
    places = torch.arange(length, device=x.device)
    apart = (places - places[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST  # (L, L)
    bias = w[f"{name}.distance"][:, apart].permute(0, 3, 1, 2)[:, None]  # (K, 1, H, L, L)
    scores = (queries @ keys.mT).float() * (d // heads) ** -0.5 + bias
    weights = scores.masked_fill(~seen, -1e9).softmax(-1).to(values.dtype)
    out = (weights @ values).transpose(2, 3).reshape(k, b * length, d)
    return linear(out, w[f"{name}.self.out"])
