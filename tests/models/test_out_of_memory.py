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
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
        (OtherError("cannot allocate memory for a joke"), False),
        (ValueError("allocate memory"), False),
    ],
)
def test_what_says_that_memory_was_short(error: BaseException, short: bool) -> None:
    assert is_out_of_memory(error) is short
