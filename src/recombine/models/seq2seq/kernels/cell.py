# mypy: ignore-errors
# ruff: noqa: N803
"""The arithmetic of an LSTM cell in one pass, and dropout factors for the steps of a recurrence."""

from __future__ import annotations

import torch

from recombine.models.seq2seq.dropout import threshold as drop_threshold
from recombine.models.seq2seq.kernels.join import one_stride
from recombine.models.seq2seq.kernels.language import cdiv, jit, kept, next_power_of_2, sigmoid, tanh, tl


@jit(do_not_specialize=["n", "step"])
def _cell_forward(
    gates, pre, cell, state, lengths, new_cell, new_state, n, h, pre_row, step,
    PER_ROW: tl.constexpr, STOP: tl.constexpr, B: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)  # over replicas and examples
    c = tl.program_id(1) * B + tl.arange(0, B)
    inside = c < h
    at = row * h + c
    gate = gates + row * 4 * h + c
    extra = pre + (row if PER_ROW else row // n) * pre_row + c
    i = tl.load(gate, mask=inside, other=0.0).to(tl.float32) + tl.load(extra, mask=inside, other=0.0).to(tl.float32)
    j = tl.load(gate + h, mask=inside, other=0.0).to(tl.float32)
    j += tl.load(extra + h, mask=inside, other=0.0).to(tl.float32)
    f = tl.load(gate + 2 * h, mask=inside, other=0.0).to(tl.float32)
    f += tl.load(extra + 2 * h, mask=inside, other=0.0).to(tl.float32)
    o = tl.load(gate + 3 * h, mask=inside, other=0.0).to(tl.float32)
    o += tl.load(extra + 3 * h, mask=inside, other=0.0).to(tl.float32)
    old = tl.load(cell + at, mask=inside, other=0.0)
    value = old * sigmoid(f + 1) + sigmoid(i) * tanh(j)
    out = tanh(value) * sigmoid(o)
    if STOP:
        alive = step < tl.load(lengths + row)
        value = tl.where(alive, value, old)
        out = tl.where(alive, out, tl.load(state + at, mask=inside, other=0.0).to(tl.float32))
    tl.store(new_cell + at, value, mask=inside)
    tl.store(new_state + at, out.to(new_state.dtype.element_ty), mask=inside)


@jit(do_not_specialize=["n", "step"])
def _cell_backward(
    gates, pre, cell, lengths, from_cell, from_state, to_gates, to_cell, to_state, n, h, pre_row, step,
    PER_ROW: tl.constexpr, STOP: tl.constexpr, HAS_CELL: tl.constexpr, HAS_STATE: tl.constexpr, B: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    c = tl.program_id(1) * B + tl.arange(0, B)
    inside = c < h
    at = row * h + c
    gate = gates + row * 4 * h + c
    extra = pre + (row if PER_ROW else row // n) * pre_row + c
    i = tl.load(gate, mask=inside, other=0.0).to(tl.float32) + tl.load(extra, mask=inside, other=0.0).to(tl.float32)
    j = tl.load(gate + h, mask=inside, other=0.0).to(tl.float32)
    j += tl.load(extra + h, mask=inside, other=0.0).to(tl.float32)
    f = tl.load(gate + 2 * h, mask=inside, other=0.0).to(tl.float32)
    f += tl.load(extra + 2 * h, mask=inside, other=0.0).to(tl.float32)
    o = tl.load(gate + 3 * h, mask=inside, other=0.0).to(tl.float32)
    o += tl.load(extra + 3 * h, mask=inside, other=0.0).to(tl.float32)
    i, j, f, o = sigmoid(i), tanh(j), sigmoid(f + 1), sigmoid(o)
    old = tl.load(cell + at, mask=inside, other=0.0)
    value = tanh(old * f + i * j)
    dc = tl.zeros([B], tl.float32)
    dh = tl.zeros([B], tl.float32)
    if HAS_CELL:
        dc += tl.load(from_cell + at, mask=inside, other=0.0)
    if HAS_STATE:
        dh += tl.load(from_state + at, mask=inside, other=0.0).to(tl.float32)
    inner = dc + dh * o * (1 - value * value)
    to_old = inner * f
    di, dj, df, do = (
        inner * j * i * (1 - i),
        inner * i * (1 - j * j),
        inner * old * f * (1 - f),
        dh * value * o * (1 - o),
    )
    if STOP:
        alive = step < tl.load(lengths + row)
        di, dj, df, do = (
            tl.where(alive, di, 0.0), tl.where(alive, dj, 0.0), tl.where(alive, df, 0.0), tl.where(alive, do, 0.0)
        )  # fmt: skip
        to_old = tl.where(alive, to_old, dc)
        tl.store(to_state + at, tl.where(alive, 0.0, dh).to(to_state.dtype.element_ty), mask=inside)
    slope = to_gates + row * 4 * h + c
    tl.store(slope, di.to(to_gates.dtype.element_ty), mask=inside)
    tl.store(slope + h, dj.to(to_gates.dtype.element_ty), mask=inside)
    tl.store(slope + 2 * h, df.to(to_gates.dtype.element_ty), mask=inside)
    tl.store(slope + 3 * h, do.to(to_gates.dtype.element_ty), mask=inside)
    tl.store(to_cell + at, to_old, mask=inside)


class LstmCell(torch.autograd.Function):
    """gates (K, B, 4H), pre (K, B, 4H) or (K, 4H), cell and state (K, B, H), lengths (K, B) or none -> the next."""

    @staticmethod
    def forward(ctx, gates, pre, cell, state, lengths, step):
        k, n, h = cell.shape
        gates, cell, state = gates.contiguous(), cell.contiguous(), state.contiguous()
        pre = one_stride(pre) if pre.dim() == 3 else pre
        new_cell, new_state = torch.empty_like(cell), torch.empty_like(state)
        block = min(512, next_power_of_2(h))
        ctx.rest = (
            k,
            n,
            h,
            pre.stride(pre.dim() - 2),
            step,
            pre.dim() == 3,
            lengths is not None,
            block,
        )
        _cell_forward[(k * n, cdiv(h, block))](
            gates, pre, cell, state, cell if lengths is None else lengths, new_cell, new_state, n, h, ctx.rest[3], step,
            PER_ROW=pre.dim() == 3, STOP=lengths is not None, B=block, num_warps=4,
        )  # fmt: skip
        ctx.save_for_backward(gates, pre, cell, lengths)
        ctx.set_materialize_grads(False)
        return new_state, new_cell

    @staticmethod
    def backward(ctx, from_state, from_cell):
        gates, pre, cell, lengths = ctx.saved_tensors
        k, n, h, pre_row, step, per_row, stop, block = ctx.rest
        to_gates, to_cell = torch.empty_like(gates), torch.empty_like(cell)
        to_state = torch.empty(k, n, h, device=cell.device, dtype=gates.dtype) if stop else None
        _cell_backward[(k * n, cdiv(h, block))](
            gates, pre, cell, cell if lengths is None else lengths,
            cell if from_cell is None else from_cell.contiguous(),
            gates if from_state is None else from_state.contiguous(),
            to_gates, to_cell, to_gates if to_state is None else to_state, n, h, pre_row, step,
            PER_ROW=per_row, STOP=stop, HAS_CELL=from_cell is not None, HAS_STATE=from_state is not None, B=block,
            num_warps=4,
        )  # fmt: skip
        to_pre = None
        if ctx.needs_input_grad[1]:
            to_pre = to_gates if per_row else to_gates.sum(1)
        return to_gates, to_pre, to_cell, to_state, None, None


@jit(do_not_specialize=["rows", "positions"])
def _factors(out, key, rows, columns, positions, threshold, scale, R: tl.constexpr, C: tl.constexpr):
    k = tl.program_id(2).to(tl.int64)
    row = tl.program_id(1) * R + tl.arange(0, R)
    column = tl.program_id(0) * C + tl.arange(0, C)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    codes = (row // positions) * 65536 + row % positions
    keep = kept(tl.load(key + k), codes, column, threshold)
    at = k * rows * columns + row[:, None].to(tl.int64) * columns + column[None, :]
    tl.store(out + at, tl.where(keep, scale, 0.0).to(out.dtype.element_ty), mask=inside)


def factors(key, examples, positions, columns, rate, dtype) -> torch.Tensor:
    """As `lstm.drop_factors`: key (K,) -> 0 or 1/(1 − rate) for each element (K, examples·positions, columns)."""
    rows = examples * positions
    out = torch.empty(len(key), rows, columns, device=key.device, dtype=dtype)
    _factors[(cdiv(columns, 128), cdiv(rows, 32), len(key))](
        out, key, rows, columns, positions, drop_threshold(rate), 1 / (1 - rate), R=32, C=128
    )
    return out
