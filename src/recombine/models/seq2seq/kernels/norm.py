# mypy: ignore-errors
# ruff: noqa: N803
"""Bias, dropout, residual sum, signals and layer norm in one pass, forward and backward."""

from __future__ import annotations

import torch

from recombine.models.seq2seq.dropout import threshold as drop_threshold
from recombine.models.seq2seq.kernels.language import cdiv, jit, kept, next_power_of_2, tl

LOOPS = 8
EPSILON = 1e-6


@jit(do_not_specialize=["n", "positions"])
def _norm_forward(
    x, y, bias, gain, shift, key, signal, offset, total, out, n, d, positions, bias_stride, gain_stride, shift_stride,
    offset_stride, threshold, scale, epsilon,
    RESIDUAL: tl.constexpr, BIAS: tl.constexpr, DROP: tl.constexpr, SIGNAL: tl.constexpr,
    R: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    k = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * R + tl.arange(0, R)
    columns = tl.arange(0, D)
    real = columns < d
    inside = (rows < n)[:, None] & real[None, :]
    at = k * n * d + rows[:, None].to(tl.int64) * d + columns[None, :]
    value = tl.load(y + at, mask=inside, other=0.0).to(tl.float32)
    if BIAS:
        value += tl.load(bias + k * bias_stride + columns, mask=real, other=0.0).to(tl.float32)[None, :]
    if DROP:
        codes = (rows // positions) * 65536 + rows % positions
        keep = kept(tl.load(key + k), codes, columns, threshold)
        value = tl.where(keep, value * scale, 0.0)
    if RESIDUAL:
        value += tl.load(x + at, mask=inside, other=0.0)
    if SIGNAL:
        value += tl.load(signal + (rows % positions)[:, None] * d + columns[None, :], mask=inside, other=0.0)
        value += tl.load(offset + k * offset_stride + columns, mask=real, other=0.0).to(tl.float32)[None, :]
    value = tl.where(inside, value, 0.0)
    tl.store(total + at, value, mask=inside)
    mean = tl.sum(value, 1) / d
    centred = tl.where(real[None, :], value - mean[:, None], 0.0)
    spread = tl.sum(centred * centred, 1) / d
    centred = centred * (1 / tl.sqrt(spread + epsilon))[:, None]
    weight = tl.load(gain + k * gain_stride + columns, mask=real, other=0.0).to(tl.float32)
    offset = tl.load(shift + k * shift_stride + columns, mask=real, other=0.0).to(tl.float32)
    tl.store(out + at, (centred * weight[None, :] + offset[None, :]).to(out.dtype.element_ty), mask=inside)


@jit(do_not_specialize=["n", "positions"])
def _norm_backward(
    total, gain, key, from_total, from_out, to_x, to_y, partial, n, d, positions, gain_stride, threshold, scale,
    epsilon, SUMMED: tl.constexpr, RESIDUAL: tl.constexpr, DROP: tl.constexpr, R: tl.constexpr, D: tl.constexpr,
    LOOPS: tl.constexpr,
):  # fmt: skip
    k = tl.program_id(1).to(tl.int64)
    block = tl.program_id(0)
    columns = tl.arange(0, D)
    real = columns < d
    weight = tl.load(gain + k * gain_stride + columns, mask=real, other=0.0).to(tl.float32)
    gain_sum = tl.zeros([R, D], tl.float32)
    shift_sum = tl.zeros([R, D], tl.float32)
    offset_sum = tl.zeros([R, D], tl.float32)
    bias_sum = tl.zeros([R, D], tl.float32)
    for loop in range(LOOPS):
        rows = (block * LOOPS + loop) * R + tl.arange(0, R)
        inside = (rows < n)[:, None] & real[None, :]
        at = k * n * d + rows[:, None].to(tl.int64) * d + columns[None, :]
        value = tl.load(total + at, mask=inside, other=0.0)
        mean = tl.sum(value, 1) / d
        centred = tl.where(real[None, :], value - mean[:, None], 0.0)
        scaled = 1 / tl.sqrt(tl.sum(centred * centred, 1) / d + epsilon)
        centred = centred * scaled[:, None]
        gradient = tl.load(from_out + at, mask=inside, other=0.0).to(tl.float32)
        gain_sum += gradient * centred
        shift_sum += gradient
        gradient = gradient * weight[None, :]
        first = tl.sum(gradient, 1) / d
        second = tl.sum(gradient * centred, 1) / d
        gradient = (gradient - first[:, None] - centred * second[:, None]) * scaled[:, None]
        if SUMMED:
            gradient += tl.load(from_total + at, mask=inside, other=0.0)
        gradient = tl.where(inside, gradient, 0.0)
        offset_sum += gradient
        if RESIDUAL:
            tl.store(to_x + at, gradient, mask=inside)
        if DROP:
            codes = (rows // positions) * 65536 + rows % positions
            keep = kept(tl.load(key + k), codes, columns, threshold)
            gradient = tl.where(keep, gradient * scale, 0.0)
        tl.store(to_y + at, gradient.to(to_y.dtype.element_ty), mask=inside)
        bias_sum += gradient
    blocks = tl.num_programs(0)
    place = partial + (k * blocks + block) * 4 * d + columns
    tl.store(place, tl.sum(gain_sum, 0), mask=real)
    tl.store(place + d, tl.sum(shift_sum, 0), mask=real)
    tl.store(place + 2 * d, tl.sum(bias_sum, 0), mask=real)
    tl.store(place + 3 * d, tl.sum(offset_sum, 0), mask=real)


def _shape(d, elements):
    """Rows of a block of about this many elements, the padded width, and warps."""
    width = next_power_of_2(d)
    return max(1, min(16, elements // width)), width, 4


class AddNorm(torch.autograd.Function):
    """x (K, N, D) or none, y (K, N, D) -> x + dropout(y + bias) + signal + offset in 32 bits, and its layer norm."""

    @staticmethod
    def forward(ctx, x, y, bias, gain, shift, key, rate, positions, signal, offset):
        k, n, d = y.shape
        y = y.contiguous()
        x = x.contiguous() if x is not None else None
        total = torch.empty(k, n, d, device=y.device)
        out = torch.empty_like(y)
        rows, width, warps = _shape(d, 4096)
        scale = 1 / (1 - rate) if key is not None else 1.0
        _norm_forward[(cdiv(n, rows), k)](
            total if x is None else x, y, gain if bias is None else bias, gain, shift, gain if key is None else key,
            total if signal is None else signal, gain if offset is None else offset, total, out, n, d, positions,
            0 if bias is None else bias.stride(0), gain.stride(0), shift.stride(0),
            0 if offset is None else offset.stride(0), drop_threshold(rate), scale, EPSILON,
            RESIDUAL=x is not None, BIAS=bias is not None, DROP=key is not None, SIGNAL=signal is not None,
            R=rows, D=width, num_warps=warps,
        )  # fmt: skip
        ctx.save_for_backward(total, gain, key)
        ctx.set_materialize_grads(False)
        ctx.present = (x is not None, bias is not None, offset.dtype if offset is not None else None)
        ctx.rest = (rate, scale, positions, y.dtype)
        return total, out

    @staticmethod
    def backward(ctx, from_total, from_out):
        total, gain, key = ctx.saved_tensors
        residual, biased, offset = ctx.present
        rate, scale, positions, dtype = ctx.rest
        k, n, d = total.shape
        rows, width, warps = _shape(d, 1024)  # a warp or less to a row: the sums over rows cross warps only at the end
        blocks = cdiv(n, rows * LOOPS)
        from_out = torch.zeros_like(total, dtype=dtype) if from_out is None else from_out.contiguous()
        from_total = from_total.contiguous() if from_total is not None else None
        to_y = torch.empty_like(total, dtype=dtype)
        to_x = torch.empty_like(total) if residual else None
        partial = torch.empty(k, blocks, 4, d, device=total.device)
        _norm_backward[(blocks, k)](
            total, gain, gain if key is None else key, total if from_total is None else from_total, from_out,
            total if to_x is None else to_x, to_y, partial, n, d, positions, gain.stride(0), drop_threshold(rate),
            scale, EPSILON, SUMMED=from_total is not None, RESIDUAL=residual, DROP=key is not None, R=rows, D=width,
            LOOPS=LOOPS, num_warps=warps,
        )  # fmt: skip
        sums = partial.sum(1)  # (K, 4, D)
        to_gain, to_shift, to_bias = sums[:, :3].to(gain.dtype).unbind(1)
        to_offset = sums[:, 3].to(offset) if offset is not None else None
        return to_x, to_y, to_bias if biased else None, to_gain, to_shift, None, None, None, None, to_offset
