"""Gaussian noise that follows from a replica's seed, the step, the place in the model and the element, as masks do.

Two 24-bit numbers of each element's hash (see `dropout`) make one normal number, by Box and Muller's transform.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from recombine.models.seq2seq.dropout import GOLDEN, element_bits, mix, signed


def gaussian(key: Tensor, rows: Tensor, columns: int) -> Tensor:
    """Normal numbers: key (K,), rows (R,) -> (K, R, columns)."""
    bits = element_bits(key, rows, columns)
    radius = (-2 * _share(bits).log()).sqrt()
    return radius * torch.cos(2 * math.pi * _share(mix(bits + signed(GOLDEN))))


def _share(bits: Tensor) -> Tensor:
    """A number strictly between 0 and 1 from 24 of the bits."""
    return (((bits >> 8) & 0xFFFFFF).float() + 0.5) / (1 << 24)


def add_noise(x: Tensor, key: Tensor, rows: Tensor, weight: float) -> Tensor:
    """Elements of x (K, R, columns) plus noise of deviation `weight`."""
    return x + weight * gaussian(key, rows, x.shape[2]).to(x.dtype)
