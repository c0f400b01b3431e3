"""Where compiled kernels are kept: the folder named by `RECOMBINE_KERNELS`, else one in the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

from recombine.data_cache import user_cache

VARIABLE = "RECOMBINE_KERNELS"


def kernel_folder() -> Path:
    """The folder of compiled kernels; it need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named).absolute() if named else user_cache() / "kernels"
