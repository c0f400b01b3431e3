"""Whether an exception says that memory was short. Importing this needs no torch."""

from __future__ import annotations

import sys

SAID = (
    "allocate memory",
    "CUBLAS_STATUS_ALLOC_FAILED",
    "CUDNN_STATUS_ALLOC_FAILED",
    "CUDNN_STATUS_NOT_INITIALIZED",
)
"""What errors of no kind of their own say: the host's allocator, "DefaultCPUAllocator: can't allocate memory", and the
libraries of a GPU, which want memory of their own. cuDNN says of a handle for which none was left that it is not
initialized."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception says that memory was short, on a GPU or on the host.

    >>> is_out_of_memory(MemoryError()), is_out_of_memory(RuntimeError("shapes do not fit"))
    (True, False)
    >>> is_out_of_memory(RuntimeError("cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"))
    True
    """
    torch = sys.modules.get("torch")
    if isinstance(error, MemoryError) or (torch is not None and isinstance(error, torch.OutOfMemoryError)):
        return True
    return type(error) is RuntimeError and any(each in str(error) for each in SAID)
