"""Additive attention at every step of a recurrence, fused; gradients of all but the state are made after the last step.

What `lstm.Decoder.attend` computes in plain torch, with the kernels of `bahdanau`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.over_time import Tape, joined
from recombine.models.seq2seq.kernels import bahdanau

if TYPE_CHECKING:
    from collections.abc import Callable


class _Collect(torch.autograd.Function):
    """The tensors themselves; backward comes after that of all uses, which left their parts on the tape."""

    @staticmethod
    def forward(ctx: Any, tape: Tape, *held: Tensor) -> tuple[Tensor, ...]:
        ctx.tape = tape
        ctx.save_for_backward(*held)
        ctx.set_materialize_grads(False)
        return tuple(tensor.view_as(tensor) for tensor in held)

    @staticmethod
    def backward(ctx: Any, *_: Any) -> tuple[Tensor | None, ...]:
        if not ctx.tape:
            return (None,) * 6
        keys, _, score, _, _ = ctx.saved_tensors
        state, query, to_both, context, to_parts, chances, to_scores, to_context = joined(ctx.tape)
        slopes = bahdanau.collect(query, keys, score, chances, to_scores, to_context)
        return None, *slopes, torch.bmm(state.mT, to_both), torch.bmm(context.mT, to_parts)


class _Use(torch.autograd.Function):
    """One step: state (K, B, H) -> attention vector (K, B, heads·A)."""

    @staticmethod
    def forward(ctx: Any, tape: Tape, lengths: Tensor, state: Tensor, *held: Tensor) -> Tensor:
        keys, memory, score, both_matrix, context_matrix = held
        k, heads, h = score.shape
        both = torch.bmm(state, both_matrix)  # the query, and the state's own part of the result
        context, chances = bahdanau.attend(both, keys, memory, score, lengths)
        parts = torch.bmm(context, context_matrix)  # (K·heads, B, A)
        parts = parts.view(k, heads, *parts.shape[1:]).transpose(1, 2)
        ctx.tape = tape
        ctx.save_for_backward(lengths, state, both, context, chances, *held)
        return (both[:, :, h:].view(*parts.shape) + parts).flatten(2)

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, ...]:
        lengths, state, both, context, chances, keys, memory, score, both_matrix, context_matrix = ctx.saved_tensors
        heads, h = score.shape[1:]
        slope = slope.contiguous()
        to_parts = slope.view(*slope.shape[:2], heads, -1).transpose(1, 2).flatten(0, 1)  # (K·heads, B, A)
        to_context = torch.bmm(to_parts, context_matrix.mT)
        to_both, to_scores = bahdanau.slopes(both, keys, memory, score, lengths, chances, to_context, slope)
        ctx.tape.append((state, both[:, :, :h], to_both, context, to_parts, chances, to_scores, to_context))
        return None, None, torch.bmm(to_both, both_matrix.mT), *((None,) * 5)


def attend_over_time(
    keys: Tensor, memory: Tensor, lengths: Tensor, score: Tensor, both: Tensor, context: Tensor
) -> Callable[[Tensor], Tensor]:
    """A function from a state (K, B, H) to the attention vector (K, B, heads·A), for many calls.

    Keys and memory are (K, B, S, H), the score vectors (K, H, heads), the matrices of query and own part side by side
    (K, H, H + heads·A), those of the contexts (K·heads, H, A).
    """
    tape: Tape = []
    collect: Any = _Collect.apply
    use: Any = _Use.apply
    held = collect(tape, keys.contiguous(), memory.contiguous(), score.mT.contiguous(), both, context)
    return lambda state: use(tape, lengths, state, *held)
