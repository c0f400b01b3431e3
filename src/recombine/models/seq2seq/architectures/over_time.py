"""Weights that a recurrence uses at every step, their gradients computed once, after the last.

Autograd would add up one product per step, each as large as the matrix. Here each step only keeps its input and slope,
and after the last step one product over all of them gives the gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

Tape = list[tuple[Tensor, ...]]


class _Collect(torch.autograd.Function):
    """The matrix itself; its backward comes after that of all uses, which left their parts on the tape."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, _: Tensor | None, tape: Tape) -> Tensor:
        ctx.tape = tape
        ctx.set_materialize_grads(False)
        return weight.view_as(weight)

    @staticmethod
    def backward(ctx: Any, *_: Any) -> tuple[Tensor | None, Tensor | None, None]:
        if not ctx.tape:
            return None, None, None
        inputs, slopes = joined(ctx.tape)  # (K, steps·B, …)
        return torch.bmm(inputs.mT, slopes), slopes.sum(1) if ctx.needs_input_grad[1] else None, None


class _Use(torch.autograd.Function):
    """One use: x (K, B, I) @ weight (K, I, O)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, tape: Tape) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.tape = tape
        return torch.bmm(x, weight)

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        x, weight = ctx.saved_tensors
        ctx.tape.append((x, slope))
        return torch.bmm(slope, weight.mT), None, None


def joined(tape: Tape) -> list[Tensor]:
    """What the steps left, one beside the other along the second dimension; the tape is empty afterwards."""
    parts = [torch.cat(part, 1) for part in zip(*tape, strict=True)]
    tape.clear()
    return parts


def over_time(weight: Tensor, bias: Tensor | None = None) -> Callable[[Tensor], Tensor]:
    """A function x (K, B, I) -> x @ weight (K, B, O), for many calls.

    A bias (K, O), where given, is not added: whoever adds it, as a constant, leaves its gradient to this function.

    >>> weight = torch.ones(1, 2, 2, requires_grad=True)
    >>> linear = over_time(weight)
    >>> x = torch.ones(1, 1, 2)
    >>> for _ in range(3):
    ...     x = linear(x)
    >>> x.sum().backward()
    >>> weight.grad.flatten().tolist()
    [12.0, 12.0, 12.0, 12.0]
    """
    tape: Tape = []
    collect: Any = _Collect.apply
    use: Any = _Use.apply
    held = collect(weight, bias, tape)
    return lambda x: use(x, held, tape)
