# mypy: ignore-errors
# ruff: noqa: N803, N806, SIM108
"""Attention over short sequences: one program holds all scores of one head of one example in registers.

Sequences up to LONGEST positions; nothing but the inputs is kept for backward, which computes the scores again.
Queries, keys and values are read where the projections left them, side by side in one row, so nothing is transposed.
"""

from __future__ import annotations

import torch

from recombine.models.seq2seq.dropout import threshold as drop_threshold
from recombine.models.seq2seq.kernels.language import jit, kept, next_power_of_2, tl

LONGEST = 128


@jit
def _weights(q, k, seen, scale):
    """Scores and their softmax (T, S)."""
    scores = tl.dot(q, tl.trans(k)) * scale
    scores = tl.where(seen, scores, -1e9)
    weights = tl.exp(scores - tl.max(scores, 1)[:, None])
    return weights / tl.sum(weights, 1)[:, None]


@jit(do_not_specialize=["B", "T", "S"])
def _attention_forward(
    q, k, v, out, lengths, key, B, H, T, S, q_row, k_row, scale, threshold, keep_scale,
    CAUSAL: tl.constexpr, DROP: tl.constexpr, C: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr, BC: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(0) % H
    example = tl.program_id(0) // H  # over replicas and examples
    i, j, c = tl.arange(0, BT), tl.arange(0, BS), tl.arange(0, BC)
    wide = (c < C)[None, :]
    q_at = (example * T + i)[:, None].to(tl.int64) * q_row + head * C + c[None, :]
    k_at = (example * S + j)[:, None].to(tl.int64) * k_row + head * C + c[None, :]
    q_in, k_in = (i < T)[:, None] & wide, (j < S)[:, None] & wide
    seen = (j < S)[None, :]
    if CAUSAL:
        seen = seen & (j[None, :] <= i[:, None])
    else:
        seen = seen & (j < tl.load(lengths + example))[None, :]
    weights = _weights(tl.load(q + q_at, mask=q_in, other=0.0), tl.load(k + k_at, mask=k_in, other=0.0), seen, scale)
    if DROP:
        codes = (example % B * H + head) * 65536 + i
        keep = kept(tl.load(key + example // B), codes, j, threshold)
        weights = tl.where(keep, weights * keep_scale, 0.0)
    values = tl.load(v + k_at, mask=k_in, other=0.0)
    result = tl.dot(weights.to(values.dtype), values)
    o_at = (example * T + i)[:, None].to(tl.int64) * (H * C) + head * C + c[None, :]
    tl.store(out + o_at, result.to(out.dtype.element_ty), mask=q_in)


@jit(do_not_specialize=["B", "T", "S"])
def _attention_backward(
    q, k, v, gradient, dq, dk, dv, lengths, key, B, H, T, S, q_row, k_row, scale, threshold, keep_scale,
    CAUSAL: tl.constexpr, DROP: tl.constexpr, C: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr, BC: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(0) % H
    example = tl.program_id(0) // H
    i, j, c = tl.arange(0, BT), tl.arange(0, BS), tl.arange(0, BC)
    wide = (c < C)[None, :]
    q_at = (example * T + i)[:, None].to(tl.int64) * q_row + head * C + c[None, :]
    k_at = (example * S + j)[:, None].to(tl.int64) * k_row + head * C + c[None, :]
    o_at = (example * T + i)[:, None].to(tl.int64) * (H * C) + head * C + c[None, :]
    q_in, k_in = (i < T)[:, None] & wide, (j < S)[:, None] & wide
    seen = (j < S)[None, :]
    if CAUSAL:
        seen = seen & (j[None, :] <= i[:, None])
    else:
        seen = seen & (j < tl.load(lengths + example))[None, :]
    queries = tl.load(q + q_at, mask=q_in, other=0.0)
    keys = tl.load(k + k_at, mask=k_in, other=0.0)
    values = tl.load(v + k_at, mask=k_in, other=0.0)
    above = tl.load(gradient + o_at, mask=q_in, other=0.0)
    weights = _weights(queries, keys, seen, scale)
    to_weights = tl.dot(above, tl.trans(values))
    dropped = weights
    if DROP:
        codes = (example % B * H + head) * 65536 + i
        keep = kept(tl.load(key + example // B), codes, j, threshold)
        dropped = tl.where(keep, weights * keep_scale, 0.0)
        to_weights = tl.where(keep, to_weights * keep_scale, 0.0)
    tl.store(dv + k_at, tl.dot(tl.trans(dropped.to(above.dtype)), above).to(dv.dtype.element_ty), mask=k_in)
    to_scores = weights * (to_weights - tl.sum(weights * to_weights, 1)[:, None]) * scale
    to_scores = tl.where(seen, to_scores, 0.0).to(keys.dtype)
    tl.store(dq + q_at, tl.dot(to_scores, keys).to(dq.dtype.element_ty), mask=q_in)
    tl.store(dk + k_at, tl.dot(tl.trans(to_scores), queries).to(dk.dtype.element_ty), mask=k_in)


def _launch(kernel, shapes, tensors, lengths, key, rate, scale, causal):
    K, B, T, S, heads, C, q_row, k_row = shapes
    blocks = [max(16, next_power_of_2(size)) for size in (T, S, C)]
    t, s, c = blocks
    warps = min(8, max(1, max(t * s, t * c, s * c) // 1024))  # by the largest block that a program holds
    kernel[(K * B * heads,)](
        *tensors, lengths, lengths if key is None else key, B, heads, T, S, q_row, k_row, scale, drop_threshold(rate),
        1 / (1 - rate) if key is not None else 1.0, CAUSAL=causal, DROP=key is not None, C=C,
        BT=blocks[0], BS=blocks[1], BC=blocks[2], num_warps=warps,
    )  # fmt: skip


class Attention(torch.autograd.Function):
    """Rows of queries (K, B, T, D) with keys and values (K, B, S, 2D), or all three (K, B, T, 3D) -> (K, B, T, D)."""

    @staticmethod
    def forward(ctx, q, kv, lengths, heads, causal, key, rate):
        q = q.contiguous()
        kv = kv.contiguous() if kv is not None else None
        K, B, T = q.shape[:3]
        D = q.shape[3] // 3 if kv is None else q.shape[3]
        S = T if kv is None else kv.shape[2]
        C = D // heads
        ctx.shapes = (K, B, T, S, heads, C, q.shape[3], 3 * D if kv is None else 2 * D)
        ctx.rest = (rate, C**-0.5, causal)
        ctx.save_for_backward(q, kv, lengths, key)
        out = torch.empty(K, B, T, D, device=q.device, dtype=q.dtype)
        _launch(_attention_forward, ctx.shapes, (*_thirds(q, kv, D), out), lengths, key, *ctx.rest)
        return out

    @staticmethod
    def backward(ctx, gradient):
        q, kv, lengths, key = ctx.saved_tensors
        D = gradient.shape[3]
        dq = torch.empty_like(q)
        dkv = torch.empty_like(kv) if kv is not None else None
        tensors = (*_thirds(q, kv, D), gradient.contiguous(), *_thirds(dq, dkv, D))
        _launch(_attention_backward, ctx.shapes, tensors, lengths, key, *ctx.rest)
        return dq, dkv, None, None, None, None, None


def _thirds(q, kv, D):
    """Queries, keys and values as views of the rows they are in."""
    if kv is None:
        return q[..., :D], q[..., D : 2 * D], q[..., 2 * D :]
    return q, kv[..., :D], kv[..., D:]
