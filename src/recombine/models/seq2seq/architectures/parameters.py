"""The weights of K replicas in one flat buffer, K × P, each weight a view of it.

One buffer makes the optimiser one pass over memory. With mixed precision there are two: the weights in 32 bits, which
are trained, and a copy in 16 bits, which the model computes with and which gradients are for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

ALIGNMENT = 64
"""Weights start at multiples of this many numbers, as matrix units want."""


@dataclass(frozen=True)
class Parameter:
    """One weight of a model: its name, its shape, and how it starts."""

    name: str
    shape: tuple[int, ...]
    start: str = "glorot"
    """`glorot` (uniform, by inputs and outputs), `normal` (deviation 1/√last size), `zeros` or `ones`.

    Also `unit` (normal of deviation `scale`), `uniform` (between −1 and 1) and `open`, of a cell's biases: zeros, but
    −1 for the forget gate, so that nothing is left of the 1 that cells add to it.
    """
    fans: tuple[int, int] | None = None
    """Inputs and outputs for `glorot`, where they are not the first and last size: matrices that stand side by side."""
    scale: float = 1.0
    """What `unit` is multiplied with: the deviation."""

    @property
    def size(self) -> int:
        """Numbers in it."""
        return int(np.prod(self.shape))


def initial(parameter: Parameter, generator: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The start of one weight of one replica."""
    shape = parameter.shape
    if parameter.start == "normal":
        return generator.standard_normal(shape, dtype=np.float32) * np.float32(shape[-1] ** -0.5)
    if parameter.start == "unit":
        return generator.standard_normal(shape, dtype=np.float32) * np.float32(parameter.scale)
    if parameter.start in ("glorot", "uniform"):
        limit = np.float32((6 / sum(parameter.fans or (shape[0], shape[-1]))) ** 0.5)
        return (generator.random(shape, dtype=np.float32) * 2 - 1) * (limit if parameter.start == "glorot" else 1)
    made = np.full(shape, 1.0 if parameter.start == "ones" else 0.0, dtype=np.float32)
    if parameter.start == "open":
        made[..., shape[-1] // 2 : 3 * shape[-1] // 4] = -1
    return made


class Parameters:
    """The weights, gradients and places of K replicas.

    >>> made = Parameters([Parameter("a", (2, 3)), Parameter("b", (3,), "zeros")], seeds=[0, 1])
    >>> made.weights["a"].shape, made.flat.shape
    (torch.Size([2, 2, 3]), torch.Size([2, 128]))
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        seeds: Sequence[int],
        *,
        device: torch.device | str = "cpu",
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.parameters = tuple(parameters)
        self.places: dict[str, slice] = {}
        end = 0
        for parameter in self.parameters:
            self.places[parameter.name] = slice(end, end + parameter.size)
            end += -(-parameter.size // ALIGNMENT) * ALIGNMENT
        self.flat = torch.zeros(len(seeds), end, device=device)
        """The trained weights (K, P) in 32 bits."""
        for replica, seed in enumerate(seeds):
            self.flat[replica] = torch.from_numpy(self._initial(seed))
        self.used = self.flat if dtype == torch.float32 else self.flat.to(dtype)
        """The weights the model computes with (K, P)."""
        self.gradient = torch.zeros_like(self.used)
        self.weights = {
            parameter.name: self._view(self.used, parameter).detach().requires_grad_() for parameter in self.parameters
        }
        """Each weight (K, …), a view of `used`."""
        self._slots = [self._view(self.gradient, parameter) for parameter in self.parameters]

    def _initial(self, seed: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        generator = make_generator(seed)
        row = np.zeros(self.flat.shape[1], dtype=np.float32)
        for parameter in self.parameters:
            row[self.places[parameter.name]] = initial(parameter, generator).reshape(-1)
        return row

    def _view(self, flat: Tensor, parameter: Parameter) -> Tensor:
        """The part (K, …) of a buffer that belongs to one weight."""
        return flat[:, self.places[parameter.name]].view(len(flat), *parameter.shape)

    def backward(self, loss: Tensor) -> None:
        """Put the gradients of a number into the gradient buffer."""
        gradients = torch.autograd.grad(loss, list(self.weights.values()), materialize_grads=True)
        for slot, gradient in zip(self._slots, gradients, strict=True):
            slot.copy_(gradient)

    def load(self, flat: Tensor) -> None:
        """Take over weights (K, P)."""
        self.flat.copy_(flat)
        if self.used is not self.flat:
            self.used.copy_(self.flat)
