"""Adam over the flat buffer of all replicas, and the learning rates of the papers.

The update is the one of the framework the CFQ paper used: the rate carries both bias corrections, and epsilon is added
to the uncorrected root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq import kernels
from recombine.models.seq2seq.kernels.adam import adam as fused_adam

if TYPE_CHECKING:
    from recombine.models.seq2seq.architectures.parameters import Parameters
    from recombine.models.seq2seq.settings import Seq2SeqSettings


def learning_rate(settings: Seq2SeqSettings, step: Tensor) -> Tensor:
    """The rate at a step counted from 1: rising over the warm-up, then constant or falling with the root, or in steps.

    >>> from recombine.models.seq2seq.presets import find_preset
    >>> round(float(learning_rate(find_preset("cfq:transformer"), torch.tensor(16000.0))), 8)
    0.00063246
    """
    warm = settings.rate * (step / settings.warmup).clamp(max=1)
    if settings.fall != 1:
        warm = warm * settings.fall ** ((step - 1) / settings.fall_steps).floor()
    return warm * step.clamp(min=settings.warmup).rsqrt() if settings.decay else warm


class Adam:
    """The moments of K replicas (K, P each) and the step that moves the weights."""

    def __init__(self, settings: Seq2SeqSettings, parameters: Parameters, factors: Tensor) -> None:
        self.settings, self.parameters = settings, parameters
        self.first = torch.zeros_like(parameters.flat)
        self.second = torch.zeros_like(parameters.flat)
        self.factors = factors
        """(K,): what each replica's learning rate is multiplied with."""

    def update(self, step: Tensor) -> None:
        """Move the weights by the gradients; step (1,) is counted from 1."""
        s, p = self.settings, self.parameters
        step = step.double()
        correction = (1 - s.beta2**step).sqrt() / (1 - s.beta1**step)
        rates = (learning_rate(s, step) * correction * self.factors).float()  # (K,)
        scales = torch.ones_like(rates)
        if s.clip:
            norms = torch.linalg.vector_norm(p.gradient, dim=1, dtype=torch.float32)
            scales = (s.clip / norms.clamp(min=1e-12)).clamp(max=1)
        if kernels.use("adam", p.flat):
            fused_adam(p.flat, p.used, p.gradient, self.first, self.second, rates, scales, s.beta1, s.beta2, s.epsilon)
            return
        slope = p.gradient.float() * scales[:, None]
        self.first.lerp_(slope, 1 - s.beta1)
        self.second.mul_(s.beta2).addcmul_(slope, slope, value=1 - s.beta2)
        p.flat.sub_(self.first / self.second.sqrt().add_(s.epsilon) * rates[:, None])
        if p.used is not p.flat:
            p.used.copy_(p.flat)
