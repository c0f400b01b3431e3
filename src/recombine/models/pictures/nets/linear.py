"""The pieces that layers of K replicas are made of; the first dimension of every tensor is K."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.layers import add_norm, attention, relu_dropout
from recombine.models.seq2seq.architectures.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    Weights = Mapping[str, Tensor]


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x (K, …, I), weight (K, I, O), bias (K, O) -> (K, …, O)."""
    rows = x.reshape(x.shape[0], -1, x.shape[-1])
    out = torch.bmm(rows, weight) if bias is None else torch.baddbmm(bias[:, None], rows, weight)
    return out.view(*x.shape[:-1], -1)


def next_norm(w: Weights, total: Tensor | None, y: Tensor, bias: str | None, norm: str) -> tuple[Tensor, Tensor]:
    """The residual sum total + y + bias in 32 bits, and its layer norm by the weights of that name: rows (K, N, D)."""
    return add_norm(
        total,
        y,
        bias=None if bias is None else w[bias],
        gain=w[f"{norm}.gain"],
        shift=w[f"{norm}.shift"],
        key=None,
        rate=0.0,
        positions=1,
    )


def feed_forward(w: Weights, name: str, x: Tensor) -> Tensor:
    """The two products of a feed-forward network without the last bias: rows (K, N, D)."""
    wide = relu_dropout(linear(x, w[f"{name}.up"]), w[f"{name}.up_bias"], key=None, rate=0.0, positions=1)
    return linear(wide, w[f"{name}.down"])


def self_attention(w: Weights, name: str, x: Tensor, groups: int, lengths: Tensor, heads: int) -> Tensor:
    """Rows (K, groups·T, D), of which each group's first `lengths` (K, groups) are seen -> rows, before the bias."""
    joint = linear(x, w[f"{name}.joint"])
    joint = joint.view(x.shape[0], groups, -1, joint.shape[-1])
    out = attention(joint, None, lengths=lengths, heads=heads, causal=False, key=None, rate=0.0)
    return linear(out.reshape(x.shape), w[f"{name}.out"])


def norm_parameters(name: str, width: int) -> list[Parameter]:
    """Of one layer norm."""
    return [Parameter(f"{name}.gain", (width,), "ones"), Parameter(f"{name}.shift", (width,), "zeros")]


def feed_forward_parameters(name: str, width: int, wide: int) -> list[Parameter]:
    """Of one feed-forward network."""
    return [
        Parameter(f"{name}.up", (width, wide)),
        Parameter(f"{name}.up_bias", (wide,), "zeros"),
        Parameter(f"{name}.down", (wide, width)),
        Parameter(f"{name}.down_bias", (width,), "zeros"),
    ]


def self_attention_parameters(name: str, width: int) -> list[Parameter]:
    """Of attention within a group: queries, keys and values side by side, and the way out."""
    return [
        Parameter(f"{name}.joint", (width, 3 * width), fans=(width, width)),
        Parameter(f"{name}.out", (width, width)),
        Parameter(f"{name}.out_bias", (width,), "zeros"),
    ]
