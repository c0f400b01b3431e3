"""Whether an exception says that memory was short. Importing this needs no torch."""

from __future__ import annotations

import sys


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception says that memory was short, on a GPU or on the host.

    >>> is_out_of_memory(MemoryError()), is_out_of_memory(RuntimeError("shapes do not fit"))
    (True, False)
    """
    torch = sys.modules.get("torch")
    if isinstance(error, MemoryError) or (torch is not None and isinstance(error, torch.OutOfMemoryError)):
        return True
    # On the host torch raises an error of no kind of its own: "DefaultCPUAllocator: can't allocate memory".
    return type(error) is RuntimeError and "allocate memory" in str(error)
