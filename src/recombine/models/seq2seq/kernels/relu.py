# mypy: ignore-errors
# ruff: noqa: N803
"""Bias, ReLU and dropout of the wide layer in one pass; backward needs its output alone."""

from __future__ import annotations

import torch

from recombine.models.seq2seq.dropout import threshold as drop_threshold
from recombine.models.seq2seq.kernels.language import cdiv, jit, kept, tl

ROWS, COLUMNS, LOOPS = 32, 128, 4


@jit(do_not_specialize=["n", "positions"])
def _relu_forward(
    x, bias, key, out, n, f, positions, bias_stride, threshold, scale,
    DROP: tl.constexpr, R: tl.constexpr, C: tl.constexpr,
):  # fmt: skip
    k = tl.program_id(2).to(tl.int64)
    rows = tl.program_id(1) * R + tl.arange(0, R)
    columns = tl.program_id(0) * C + tl.arange(0, C)
    inside = (rows < n)[:, None] & (columns < f)[None, :]
    at = k * n * f + rows[:, None].to(tl.int64) * f + columns[None, :]
    value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    value += tl.load(bias + k * bias_stride + columns, mask=columns < f, other=0.0).to(tl.float32)[None, :]
    value = tl.maximum(value, 0.0)
    if DROP:
        codes = (rows // positions) * 65536 + rows % positions
        keep = kept(tl.load(key + k), codes, columns, threshold)
        value = tl.where(keep, value * scale, 0.0)
    tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


@jit(do_not_specialize=["n"])
def _relu_backward(out, gradient, result, partial, n, f, scale, R: tl.constexpr, C: tl.constexpr, LOOPS: tl.constexpr):
    k = tl.program_id(2).to(tl.int64)
    block = tl.program_id(1)
    columns = tl.program_id(0) * C + tl.arange(0, C)
    total = tl.zeros([R, C], tl.float32)
    for loop in range(LOOPS):
        rows = (block * LOOPS + loop) * R + tl.arange(0, R)
        inside = (rows < n)[:, None] & (columns < f)[None, :]
        at = k * n * f + rows[:, None].to(tl.int64) * f + columns[None, :]
        alive = tl.load(out + at, mask=inside, other=0.0) > 0
        value = tl.load(gradient + at, mask=inside, other=0.0).to(tl.float32)
        value = tl.where(alive, value * scale, 0.0)
        tl.store(result + at, value.to(result.dtype.element_ty), mask=inside)
        total += value
    tl.store(partial + (k * tl.num_programs(1) + block) * f + columns, tl.sum(total, 0), mask=columns < f)


class ReluDropout(torch.autograd.Function):
    """x (K, N, F), bias (K, F), key (K,) or none -> dropout(relu(x + bias)) (K, N, F)."""

    @staticmethod
    def forward(ctx, x, bias, key, rate, positions):
        k, n, f = x.shape
        x = x.contiguous()
        out = torch.empty_like(x)
        scale = 1 / (1 - rate) if key is not None else 1.0
        grid = (cdiv(f, COLUMNS), cdiv(n, ROWS), k)
        dropped = drop_threshold(rate)
        _relu_forward[grid](
            x, bias, key if key is not None else bias, out, n, f, positions, bias.stride(0), dropped, scale,
            DROP=key is not None, R=ROWS, C=COLUMNS,
        )  # fmt: skip
        ctx.save_for_backward(out)
        ctx.scale = scale
        ctx.bias_dtype = bias.dtype
        return out

    @staticmethod
    def backward(ctx, gradient):
        (out,) = ctx.saved_tensors
        k, n, f = out.shape
        gradient = gradient.contiguous()
        result = torch.empty_like(gradient)
        blocks = cdiv(n, ROWS * LOOPS)
        partial = torch.empty(k, blocks, f, device=out.device)
        _relu_backward[(cdiv(f, COLUMNS), blocks, k)](
            out, gradient, result, partial, n, f, ctx.scale, R=ROWS, C=COLUMNS, LOOPS=LOOPS
        )
        return result, partial.sum(1).to(ctx.bias_dtype), None, None, None
