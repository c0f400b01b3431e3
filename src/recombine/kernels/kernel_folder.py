"""Where compiled kernels are kept: the folder named by `RECOMBINE_KERNELS`, else one in the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "RECOMBINE_KERNELS"


def kernel_folder() -> Path:
    """The folder of compiled kernels; it need not exist."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).absolute()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path("~/.cache").expanduser()) / "recombine" / "kernels"
