# mypy: ignore-errors
# ruff: noqa: N803
"""What a cell is multiplied from, in one pass: its input under dropout and, beside it, its state."""

from __future__ import annotations

import torch

from recombine.models.seq2seq.kernels.language import cdiv, jit, tl

BLOCK = 1024


@jit
def _join_forward(below, factors, state, out, i, h, factor_row, DROP: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.program_id(1) * B + tl.arange(0, B)
    left, right = c < i, (c >= i) & (c < i + h)
    value = tl.load(below + row * i + c, mask=left, other=0.0).to(tl.float32)
    if DROP:
        value = value * tl.load(factors + row * factor_row + c, mask=left, other=0.0).to(tl.float32)
    value += tl.load(state + row * h + (c - i), mask=right, other=0.0).to(tl.float32)
    tl.store(out + row * (i + h) + c, value.to(out.dtype.element_ty), mask=c < i + h)


@jit
def _join_backward(slope, factors, to_below, to_state, i, h, factor_row, DROP: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.program_id(1) * B + tl.arange(0, B)
    left, right = c < i, (c >= i) & (c < i + h)
    value = tl.load(slope + row * (i + h) + c, mask=c < i + h, other=0.0)
    tl.store(to_state + row * h + (c - i), value, mask=right)
    if DROP:
        value = value.to(tl.float32) * tl.load(factors + row * factor_row + c, mask=left, other=0.0).to(tl.float32)
    tl.store(to_below + row * i + c, value.to(to_below.dtype.element_ty), mask=left)


class Join(torch.autograd.Function):
    """below (K, B, I), factors (K, B, I) or none, state (K, B, H) -> (K, B, I + H)."""

    @staticmethod
    def forward(ctx, below, factors, state):
        k, b, i = below.shape
        h = state.shape[2]
        below, state = below.contiguous(), state.contiguous()
        factors = one_stride(factors) if factors is not None else None
        out = torch.empty(k, b, i + h, device=below.device, dtype=below.dtype)
        ctx.shape = (k, b, i, h)
        ctx.save_for_backward(factors)
        _join_forward[(k * b, cdiv(i + h, BLOCK))](
            below, below if factors is None else factors, state, out, i, h, i if factors is None else factors.stride(1),
            DROP=factors is not None, B=BLOCK, num_warps=4,
        )  # fmt: skip
        return out

    @staticmethod
    def backward(ctx, slope):
        (factors,) = ctx.saved_tensors
        k, b, i, h = ctx.shape
        slope = slope.contiguous()
        to_below = torch.empty(k, b, i, device=slope.device, dtype=slope.dtype)
        to_state = torch.empty(k, b, h, device=slope.device, dtype=slope.dtype)
        _join_backward[(k * b, cdiv(i + h, BLOCK))](
            slope, slope if factors is None else factors, to_below, to_state, i, h,
            i if factors is None else factors.stride(1), DROP=factors is not None, B=BLOCK, num_warps=4,
        )  # fmt: skip
        return to_below, None, to_state


def one_stride(x: torch.Tensor) -> torch.Tensor:
    """x (K, B, C) such that all K·B rows are the same distance apart; copied only where they are not."""
    return x if x.stride(2) == 1 and x.stride(0) == x.shape[1] * x.stride(1) else x.contiguous()
