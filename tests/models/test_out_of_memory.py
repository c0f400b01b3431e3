"""Whether an exception says that memory was short."""

from __future__ import annotations

import pytest

from recombine.models.out_of_memory import is_out_of_memory

torch = pytest.importorskip("torch", reason="needs torch")


class OtherError(RuntimeError):
    """An error of its own kind."""


@pytest.mark.parametrize(
    ("error", "short"),
    [
        (MemoryError(), True),
        (torch.OutOfMemoryError("CUDA out of memory"), True),
        (
            RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"),
            True,
        ),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
        (RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"), True),
        (RuntimeError("cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"), True),
        (RuntimeError("cuDNN error: CUDNN_STATUS_BAD_PARAM"), False),
        (RuntimeError("CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasSgemm`"), False),
        (ValueError("CUDNN_STATUS_ALLOC_FAILED"), False),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
        (OtherError("cannot allocate memory for a joke"), False),
        (ValueError("allocate memory"), False),
    ],
)
def test_what_says_that_memory_was_short(error: BaseException, short: bool) -> None:
    assert is_out_of_memory(error) is short
