"""The pieces that the models are made of, each for K replicas at once: the first dimension of every tensor is K.

On a GPU a fused kernel computes the same in fewer passes over memory; see `kernels`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from recombine.models.seq2seq import kernels
from recombine.models.seq2seq.dropout import dropout, kept, row_codes
from recombine.models.seq2seq.kernels.attention import LONGEST, Attention
from recombine.models.seq2seq.kernels.norm import EPSILON, AddNorm
from recombine.models.seq2seq.kernels.relu import ReluDropout

_add_norm: Any = AddNorm.apply
_relu_dropout: Any = ReluDropout.apply
_attention: Any = Attention.apply
ONE_HOT = 512
"""Up to this many symbols an embedding is a product with one-hot rows, whose gradient has a fixed order of sums."""


def embed(table: Tensor, ids: Tensor, scale: float, signal: Tensor | None) -> Tensor:
    """Rows of a table (K, V, D) for ids (K, N), times a scale; symbol 0 has no row; plus a signal (N, D)."""
    k, v, d = table.shape
    if v <= ONE_HOT:
        symbols = torch.arange(v, device=ids.device)
        chosen = ((ids[:, :, None] == symbols) & (symbols > 0)).to(table.dtype)  # (K, N, V)
        if signal is None:
            return torch.bmm(chosen, table) * scale
        return torch.baddbmm(signal.to(table.dtype).expand(k, -1, -1), chosen, table, alpha=scale)
    at = ids + torch.arange(k, device=ids.device)[:, None] * v
    rows = functional.embedding(at, table.reshape(k * v, d)) * (ids > 0)[:, :, None] * scale
    return rows if signal is None else rows + signal.to(table.dtype)


def add_norm(
    x: Tensor | None,
    y: Tensor,
    *,
    bias: Tensor | None = None,
    gain: Tensor,
    shift: Tensor,
    key: Tensor | None,
    rate: float,
    positions: int,
    signal: Tensor | None = None,
    offset: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The residual sum x + dropout(y + bias) in 32 bits, and its layer norm in y's type; all (K, N, D).

    A signal (positions, D) and an offset (K, D) come on top of the sum where they are given, both or neither.
    """
    if kernels.use("norm", y):
        total, out = _add_norm(x, y, bias, gain, shift, key, rate, positions, signal, offset)
        return total, out
    if bias is not None:
        y = y + bias[:, None]
    if key is not None:
        y = dropout(y, key, row_codes(y.shape[1] // positions, positions, y.device), rate)
    total = y.float() if x is None else x + y
    if signal is not None and offset is not None:
        total = total + signal.repeat(y.shape[1] // positions, 1) + offset[:, None]
    out = functional.layer_norm(total, total.shape[-1:], eps=EPSILON) * gain[:, None] + shift[:, None]
    return total, out.to(y.dtype)


def relu_dropout(x: Tensor, bias: Tensor, *, key: Tensor | None, rate: float, positions: int) -> Tensor:
    """dropout(relu(x + bias)): x (K, N, F), bias (K, F)."""
    if kernels.use("relu", x):
        out: Tensor = _relu_dropout(x, bias, key, rate, positions)
        return out
    x = torch.relu(x + bias[:, None])
    return x if key is None else dropout(x, key, row_codes(x.shape[1] // positions, positions, x.device), rate)


def by_example(x: Tensor, examples: int) -> Tensor:
    """Rows (K, B·T, D) by example: (K, B, T, D)."""
    return x.view(x.shape[0], examples, -1, x.shape[2])


def attention(
    q: Tensor, kv: Tensor | None, *, lengths: Tensor, heads: int, causal: bool, key: Tensor | None, rate: float
) -> Tensor:
    """Attention of H heads -> (K, B, T, D).

    `q` holds queries (K, B, T, D) and `kv` keys and values (K, B, S, 2D); or `q` holds all three (K, B, T, 3D). A query
    sees the keys up to its own position where `causal`, else the first `lengths` (K, B).
    """
    if kernels.use("attention", q) and max(q.shape[2], q.shape[2] if kv is None else kv.shape[2]) <= LONGEST:
        out: Tensor = _attention(q, kv, lengths, heads, causal, key, rate)
        return out
    if kv is None:
        queries, keys, values = q.chunk(3, -1)
    else:
        queries, (keys, values) = q, kv.chunk(2, -1)
    steps = torch.arange(keys.shape[2], device=q.device)
    seen = steps <= steps[:, None] if causal else (steps < lengths[..., None])[:, :, None, None]  # … (T, S)
    return dot_product(queries, keys, values, seen=seen, heads=heads, key=key, rate=rate)


def dot_product(
    q: Tensor, k: Tensor, v: Tensor, *, seen: Tensor, heads: int, key: Tensor | None = None, rate: float = 0.0
) -> Tensor:
    """Attention in plain torch: q (K, B, T, D), k and v (K, B, S, D), seen broadcast to (K, B, H, T, S)."""
    q, k, v = (x.reshape(*x.shape[:3], heads, -1).transpose(2, 3) for x in (q, k, v))  # (K, B, H, T, C)
    scores = (q @ k.mT).float() * q.shape[-1] ** -0.5  # (K, B, H, T, S)
    weights = scores.masked_fill(~seen, -1e9).softmax(-1)
    if key is not None:
        _, b, h, t, s = weights.shape
        keep = kept(key, row_codes(b * h, t, q.device), s, rate).view_as(weights)
        weights = torch.where(keep, weights / (1 - rate), torch.zeros_like(weights))
    out: Tensor = weights.to(v.dtype) @ v
    return out.transpose(2, 3).flatten(3)


def timing_signal(positions: int, width: int, device: torch.device) -> Tensor:
    """Sines, then cosines, of positions at wavelengths from 2π to 2π·10⁴: (positions, width)."""
    scales = width // 2
    rates = torch.exp(torch.arange(scales, device=device) * (-torch.log(torch.tensor(1e4)).item() / max(1, scales - 1)))
    angles = torch.arange(positions, device=device)[:, None] * rates
    return functional.pad(torch.cat([angles.sin(), angles.cos()], 1), (0, width % 2))


def smoothed_loss(logits: Tensor, gold: Tensor, *, smoothing: float, symbols: int) -> Tensor:
    """The mean cross-entropy of each replica over its real symbols: logits (K, N, V), gold (K, N) -> (K,).

    The gold symbol gets 1 − smoothing, the others of the vocabulary share the rest; columns beyond `symbols` are not
    in the vocabulary.
    """
    logits = logits.float()
    real = torch.arange(logits.shape[2], device=logits.device) < symbols
    logits = logits.masked_fill(~real, -1e9)
    low = smoothing / max(1, symbols - 1)
    chosen = logits.gather(2, gold[:, :, None])[:, :, 0]
    every = torch.where(real, logits, torch.zeros_like(logits)).sum(2)
    loss = logits.logsumexp(2) - (1 - smoothing - low) * chosen - low * every
    weight = (gold > 0).float()
    return (loss * weight).sum(1) / weight.sum(1).clamp(min=1)
