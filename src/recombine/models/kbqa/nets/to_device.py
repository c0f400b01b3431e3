"""Arrays sent to a device without waiting for what the device still computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from numpy.typing import NDArray


def to_device(array: NDArray[Any], device: torch.device) -> torch.Tensor:
    """An array as a tensor there."""
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    # From memory that is not pinned a copy would wait for the device; with several processes on one, for all of them.
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)
