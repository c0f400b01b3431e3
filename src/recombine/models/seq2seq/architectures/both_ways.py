"""An LSTM that reads a source forwards and one that reads it backwards, both at once, for K replicas.

The two directions are stacked as 2K replicas are, so that they take the steps of one. Sizes in the margin: K replicas,
B examples, S source positions, I features of the input, H features of each direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.lstm import all_steps, run_cell
from recombine.models.seq2seq.architectures.over_time import over_time
from recombine.models.seq2seq.architectures.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.seq2seq.architectures.lstm import Weights


def iter_parameters(name: str, inputs: int, width: int, bias: str = "zeros") -> Iterator[Parameter]:
    """The weights of both directions of one replica, forwards first; `bias` is how the biases start."""
    yield Parameter(f"{name}.in", (2, inputs, 4 * width), fans=(inputs + width, 4 * width))
    yield Parameter(f"{name}.state", (2, width, 4 * width), fans=(inputs + width, 4 * width))
    yield Parameter(f"{name}.bias", (2, 4 * width), bias)


def both_ways(weights: Weights, name: str, y: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Inputs (K, B, S, I) of these lengths (K, B) -> states (K, B, S, 2H), and the last states and cells (K, B, 2H).

    The first half of the features is forwards, the second backwards; the state at a position has read its word.
    """
    k, b, s, _ = y.shape
    inside, state_matrix, bias = (weights[f"{name}.{part}"].flatten(0, 1) for part in ("in", "state", "bias"))
    paired = torch.stack([y, backwards(y, lengths)], 1).flatten(0, 1)  # (2K, B, S, I)
    ends = lengths.repeat_interleave(2, 0)  # (2K, B)
    pre = all_steps(paired.flatten(1, 2), inside, bias, b)
    linear = over_time(state_matrix)
    h = state_matrix.shape[1]
    state, cell = y.new_zeros(2 * k, b, h), y.new_zeros(2 * k, b, h, dtype=torch.float32)
    states = []
    for step in range(s):
        state, cell = run_cell(linear(state), pre[step], cell, state, ends, step)
        states.append(state)
    ahead, back = torch.stack(states, 2).view(k, 2, b, s, h).unbind(1)
    last, last_cell = (x.view(k, 2, b, h).transpose(1, 2).flatten(2) for x in (state, cell))
    return torch.cat([ahead, backwards(back, lengths)], 3), last, last_cell


def backwards(y: Tensor, lengths: Tensor) -> Tensor:
    """Rows (K, B, S, I) of these lengths (K, B) the other way round, padding where it was.

    >>> backwards(torch.tensor([[[[1], [2], [3], [9]]]]), torch.tensor([[3]])).flatten().tolist()
    [3, 2, 1, 9]
    """
    step = torch.arange(y.shape[2], device=y.device)
    end = lengths[..., None].long()
    at = torch.where(step < end, end - 1 - step, step)  # (K, B, S)
    return y.gather(2, at[..., None].expand_as(y))
