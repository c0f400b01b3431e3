"""How a stage is trained: rate, steps, batch; and Adam over the weights of all replicas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq import kernels
from recombine.models.seq2seq.kernels.adam import adam as fused_adam

if TYPE_CHECKING:
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.models.seq2seq.architectures.parameters import Parameters

EPSILON = 1e-9


@dataclass(frozen=True)
class Schedule:
    """The numbers of one stage."""

    steps: int
    batch: int
    rate: float
    warmup: int
    clip: float
    beta1: float
    beta2: float

    @classmethod
    def of_grounding(cls, s: PictureSettings) -> Schedule:
        """Of the second stage."""
        return cls(s.grounding_steps, s.grounding_batch, s.grounding_rate, s.warmup, s.clip, s.beta1, s.beta2)

    @classmethod
    def of_questions(cls, s: PictureSettings) -> Schedule:
        """Of the third stage."""
        return cls(s.steps, s.batch, s.rate, s.warmup, s.clip, s.beta1, s.beta2)

    def rate_at(self, step: Tensor) -> Tensor:
        """The rate at a step counted from 1: rising over the warm-up, then falling to 0 after the last step.

        >>> made = Schedule(1000, 8, 0.5, 200, 1.0, 0.9, 0.98)
        >>> [round(float(made.rate_at(torch.tensor(step))), 3) for step in (100, 200, 600, 1000)]
        [0.25, 0.5, 0.25, 0.001]
        """
        warmup = min(self.warmup, max(1, self.steps // 4))
        rising = step / warmup
        falling = (self.steps + 1 - step) / (self.steps + 1 - warmup)
        return self.rate * torch.minimum(rising, falling).clamp(0, 1)


class Adam:
    """The moments of K replicas (K, P each) and the step that moves the weights."""

    def __init__(self, schedule: Schedule, parameters: Parameters) -> None:
        self.schedule, self.parameters = schedule, parameters
        self.first = torch.zeros_like(parameters.flat)
        self.second = torch.zeros_like(parameters.flat)

    def update(self, step: Tensor) -> None:
        """Move the weights by the gradients; step (1,) is counted from 1."""
        s, p = self.schedule, self.parameters
        step = step.double()
        correction = (1 - s.beta2**step).sqrt() / (1 - s.beta1**step)
        rates = (s.rate_at(step) * correction).float().expand(len(p.flat)).contiguous()  # (K,)
        scales = torch.ones_like(rates)
        if s.clip:
            norms = torch.linalg.vector_norm(p.gradient, dim=1, dtype=torch.float32)
            scales = (s.clip / norms.clamp(min=1e-12)).clamp(max=1)
        if kernels.use("adam", p.flat):
            fused_adam(p.flat, p.used, p.gradient, self.first, self.second, rates, scales, s.beta1, s.beta2, EPSILON)
            return
        slope = p.gradient.float() * scales[:, None]
        self.first.lerp_(slope, 1 - s.beta1)
        self.second.mul_(s.beta2).addcmul_(slope, slope, value=1 - s.beta2)
        p.flat.sub_(self.first / self.second.sqrt().add_(EPSILON) * rates[:, None])
        if p.used is not p.flat:
            p.used.copy_(p.flat)
