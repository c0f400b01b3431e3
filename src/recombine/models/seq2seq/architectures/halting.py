"""Adaptive computation time of the Universal Transformer (Dehghani et al., 2018, §2.2, after Graves, 2016).

In front of each step a unit looks at the state of every position and gives a chance to halt. A position halts at the
step where its chances sum to more than the threshold, at the last one at the latest. Its output is mixed from the
states after its steps: a step's state enters with its chance, the one it halts at with what is missing to one, and what
was mixed before keeps the rest of the weight. As in the published code, a halted position goes on computing for the
others to see; only its output stays. The cost of a position is its number of steps plus the remainder, through which
gradients of the cost flow. The published code leaves a position that never halts without its last share; here it gets
it, as with Graves, so that never halting is the recurrence without halting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from recombine.models.seq2seq.architectures.parameters import Parameter
from recombine.models.seq2seq.kernels.norm import EPSILON

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.models.seq2seq.settings import Seq2SeqSettings


def iter_parameters(settings: Seq2SeqSettings) -> Iterator[Parameter]:
    """The weights of the halting units of both sides; the bias of one makes early steps likely, as published."""
    for side in ("encoder", "decoder"):
        yield Parameter(f"{side}.halting", (settings.width, 1))
        yield Parameter(f"{side}.halting_bias", (1,), "ones")


class Halting:
    """The halting of one side: sees the state (K, N, D) in front of each step and after the last."""

    running: Tensor
    halted: Tensor
    """The sum of chances so far (K, N)."""
    cost: Tensor
    """Steps so far, and the remainder of those that have halted (K, N)."""
    weight: Tensor
    """What the state after the current step enters the output with (K, N)."""
    mixed: Tensor

    def __init__(
        self, weights: Mapping[str, Tensor], settings: Seq2SeqSettings, side: str, signals: tuple[Tensor, Tensor]
    ) -> None:
        self.weights, self.settings, self.side, self.signals = weights, settings, side, signals
        self.step = 0

    def see(self, x: Tensor) -> None:
        """Mix in the state that a step has left, and weigh what the next step will leave."""
        if self.step == 0:
            self.running = torch.ones(x.shape[:2], dtype=torch.bool, device=x.device)
            self.halted = x.new_zeros(x.shape[:2])
            self.cost = x.new_zeros(x.shape[:2])
            self.mixed = torch.zeros_like(x)
        else:
            weight = self.weight[..., None]
            self.mixed = weight * self._unsigned(x) + (1 - weight) * self.mixed
        if self.step < self.settings.layers:
            self.weight = self._weigh(x)
        self.step += 1

    def _weigh(self, x: Tensor) -> Tensor:
        """The weight (K, N) of the state after this step: none where the position has halted before."""
        unit, bias = (self.weights[f"{self.side}.{name}"].float() for name in ("halting", "halting_bias"))
        chance = torch.sigmoid(torch.bmm(x.float(), unit)[..., 0] + bias)
        stops = self.running & (self.halted + chance > self.settings.halting_threshold)
        if self.step == self.settings.layers - 1:
            stops = self.running
        goes = self.running & ~stops
        rest, none = 1 - self.halted, torch.zeros_like(chance)
        self.cost = self.cost + self.running + torch.where(stops, rest, none)
        chance = torch.where(goes, chance, none)
        self.halted, self.running = self.halted + chance, goes
        return torch.where(stops, rest, chance)

    def _unsigned(self, x: Tensor) -> Tensor:
        """The state without the signals that were added for the next step."""
        if self.step == self.settings.layers:
            return x
        rows, steps = self.signals
        return x - rows.repeat(x.shape[1] // len(rows), 1) - steps[:, self.step, None]

    def output(self, dtype: torch.dtype) -> Tensor:
        """The mixed states, normed as those of the last layer are: (K, N, D)."""
        gain, shift = (self.weights[f"{self.side}.{name}"][:, None] for name in ("gain", "shift"))
        normed = functional.layer_norm(self.mixed, self.mixed.shape[-1:], eps=EPSILON)
        return (normed * gain + shift).to(dtype)


def ponder_cost(cost: Tensor, ids: Tensor) -> Tensor:
    """The mean cost of each replica (K,) over its real positions: cost (K, B·T), ids (K, B, T)."""
    real = (ids != 0).flatten(1)
    return (cost * real).sum(1) / real.sum(1).clamp(min=1)
