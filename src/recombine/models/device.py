"""Where torch computes: the device that was asked for, else a GPU where there is one. Importing this needs no torch."""

from __future__ import annotations


def choose_device(wanted: str = "") -> str:
    """The device of this name; without one, `cuda` where it is available, else `cpu`.

    >>> choose_device("cpu")
    'cpu'
    """
    import torch

    return wanted or ("cuda" if torch.cuda.is_available() else "cpu")


def device_name(device: str) -> str:
    """What results call a device: the name of the GPU, or `cpu`.

    >>> device_name("cpu")
    'cpu'
    """
    import torch

    return torch.cuda.get_device_name() if device.startswith("cuda") else "cpu"
