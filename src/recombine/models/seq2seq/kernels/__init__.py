"""GPU kernels in Triton for what would otherwise be many passes over memory.

Each has a plain counterpart in `layers` (and `optimiser`) that computes the same, dropout masks included; the plain
ones run wherever Triton is missing. `ENABLED` names the kernels in use, for measuring one against the other.
"""

from __future__ import annotations

from importlib.util import find_spec

import torch

ENABLED = {"adam", "attention", "bahdanau", "cell", "join", "norm", "relu"}


def use(name: str, x: torch.Tensor) -> bool:
    """Whether the kernel of this name is to be used for this tensor."""
    return x.is_cuda and x.dtype != torch.float64 and name in ENABLED and _TRITON


_TRITON = find_spec("triton") is not None
