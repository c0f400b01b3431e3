"""Dropout whose masks follow from a replica's seed, the step, the place in the model and the element, and nothing else.

A mask is a hash of these numbers, in 32-bit integer arithmetic, so a replica drops the same elements whoever it trains
with, however its batch is padded, on any device, and after a resume. The GPU kernels compute the same hash in
registers; here it is in plain torch.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

GOLDEN = 0x9E3779B9
POSITIONS = 1 << 16
"""A row is example × POSITIONS + position, so that padding does not renumber it."""


def signed(value: int) -> int:
    """The 32-bit pattern of a number as torch's int32 holds it."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def mix(bits: Tensor) -> Tensor:
    """Spread 32-bit patterns: xor-shifts and odd multipliers, one to one.

    >>> int(mix(torch.tensor([1], dtype=torch.int32)))
    1753845952
    """
    bits = bits ^ ((bits >> 16) & 0xFFFF)
    bits = bits * 0x7FEB352D
    bits = bits ^ ((bits >> 15) & 0x1FFFF)
    bits = bits * signed(0x846CA68B)
    return bits ^ ((bits >> 16) & 0xFFFF)


def threshold(rate: float) -> int:
    """Of 2²⁴ equally likely values, those under this one are dropped."""
    return round(rate * (1 << 24))


def row_codes(examples: int, positions: int, device: torch.device) -> Tensor:
    """The codes of the rows of a batch, examples × positions in one dimension."""
    example = torch.arange(examples, dtype=torch.int32, device=device)
    position = torch.arange(positions, dtype=torch.int32, device=device)
    return (example[:, None] * POSITIONS + position).reshape(-1)


def element_bits(key: Tensor, rows: Tensor, columns: int) -> Tensor:
    """The hash of each element: key (K,), rows (R,) -> 32-bit patterns (K, R, columns)."""
    rows = mix(mix(rows) + key[:, None])  # (K, R)
    column = torch.arange(columns, dtype=torch.int32, device=rows.device) * signed(GOLDEN)
    return mix(rows[:, :, None] + column)


def kept(key: Tensor, rows: Tensor, columns: int, rate: float) -> Tensor:
    """Which elements stay: key (K,), rows (R,) -> booleans (K, R, columns)."""
    return ((element_bits(key, rows, columns) >> 8) & 0xFFFFFF) >= threshold(rate)


def dropout(x: Tensor, key: Tensor, rows: Tensor, rate: float) -> Tensor:
    """Drop elements of x (K, R, columns) and scale the others up."""
    return torch.where(kept(key, rows, x.shape[2], rate), x / (1 - rate), torch.zeros_like(x))


@dataclass
class Drops:
    """The keys of one step: each place in the model that drops, or gets noise, takes the next one.

    With rate 0 nothing is dropped, with noise 0 nothing is added.
    """

    rate: float = 0.0
    keys: Tensor | None = None
    """(places, K)"""
    noise: float = 0.0
    """The deviation of noise, where a model adds it."""
    taken: int = field(default=0, init=False)

    def next(self) -> Tensor | None:
        """The key (K,) of the next place."""
        return self._take() if self.rate else None

    def next_noise(self) -> Tensor | None:
        """The key (K,) of the next place that gets noise."""
        return self._take() if self.noise else None

    def _take(self) -> Tensor | None:
        if self.keys is None:
            return None
        self.taken += 1
        return self.keys[self.taken - 1]


def make_keys(seeds: Tensor, step: Tensor, places: int) -> Tensor:
    """The keys of a step: seeds (K,) int32, step (1,) int64 -> (places, K) int32, each row aligned to 16 bytes."""
    aligned = torch.nn.functional.pad(seeds, (0, -len(seeds) % 4))
    at = mix(aligned + mix(step.to(torch.int32) * signed(0x85EBCA6B)))
    place = torch.arange(places, dtype=torch.int32, device=seeds.device) * signed(GOLDEN)
    return mix(at + mix(place)[:, None])[:, : len(seeds)]
