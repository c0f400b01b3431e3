"""Dot-product attention at every step of a recurrence, whose gradients to what is attended come after the last step.

Autograd would add up, step by step, a slope as large as all that is attended. Here each step keeps its weights and
small slopes, and after the last step one product over all steps gives each sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.over_time import Tape, joined

if TYPE_CHECKING:
    from collections.abc import Callable


class _Collect(torch.autograd.Function):
    """Keys and values themselves; backward comes after that of all uses, which left their parts on the tape."""

    @staticmethod
    def forward(ctx: Any, keys: Tensor, values: Tensor, tape: Tape) -> tuple[Tensor, Tensor]:
        ctx.tape = tape
        ctx.set_materialize_grads(False)
        return keys.view_as(keys), values.view_as(values)

    @staticmethod
    def backward(ctx: Any, *_: Any) -> tuple[Tensor | None, Tensor | None, None]:
        if not ctx.tape:
            return None, None, None
        queries, weights, to_scores, to_means = joined(ctx.tape)  # (N, steps, …)
        return torch.bmm(to_scores.mT, queries), torch.bmm(weights.mT, to_means), None


class _Use(torch.autograd.Function):
    """One step: query (N, 1, H) -> weights (N, 1, S) of the keys and the mean (N, 1, G) of the values.

    `low` (N, 1, S) is added to the scores: 0, or so little that a place has no weight.
    """

    @staticmethod
    def forward(
        ctx: Any, query: Tensor, keys: Tensor, values: Tensor, low: Tensor, tape: Tape
    ) -> tuple[Tensor, Tensor]:
        weights = torch.baddbmm(low, query, keys.mT).softmax(2)
        ctx.tape = tape
        ctx.save_for_backward(query, keys, values, weights)
        return weights, torch.bmm(weights, values)

    @staticmethod
    def backward(ctx: Any, to_weights: Tensor, to_mean: Tensor) -> tuple[Tensor | None, ...]:
        query, keys, values, weights = ctx.saved_tensors
        slope = torch.baddbmm(to_weights, to_mean, values.mT)
        to_scores: Tensor = torch.ops.aten._softmax_backward_data(slope, weights, 2, weights.dtype)
        ctx.tape.append((query, weights, to_scores, to_mean))
        return torch.bmm(to_scores, keys), None, None, None, None


def dot_over_time(keys: Tensor, values: Tensor, unseen: Tensor) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
    """A function from a query (K, B, H) to weights (K, B, S) and the mean of the values (K, B, G), for many calls.

    Keys are (K, B, S, H), values (K, B, S, G); places that are `unseen` (K, B, S) have no weight.

    >>> keys = torch.tensor([[[[1.0], [0.0], [5.0]]]])
    >>> attend = dot_over_time(keys, 2 * keys, torch.tensor([[[False, False, True]]]))
    >>> weights, mean = attend(torch.zeros(1, 1, 1))
    >>> weights.flatten().tolist(), mean.item()
    ([0.5, 0.5, 0.0], 1.0)
    """
    k, b = keys.shape[:2]
    tape: Tape = []
    collect: Any = _Collect.apply
    use: Any = _Use.apply
    held = collect(keys.flatten(0, 1), values.flatten(0, 1), tape)
    low = keys.new_zeros(k * b, 1, keys.shape[2]).masked_fill_(unseen.flatten(0, 1)[:, None], -1e9)

    def attend(query: Tensor) -> tuple[Tensor, Tensor]:
        weights, mean = use(query.flatten(0, 1)[:, None], *held, low, tape)
        return weights.view(k, b, -1), mean.view(k, b, -1)

    return attend
