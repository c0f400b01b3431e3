"""Work on questions in one go where memory allows it, else in halves, and halves of these."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from recombine.models.out_of_memory import is_out_of_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def in_parts(rows: NDArray[np.int64], work: Callable[[NDArray[np.int64]], Any]) -> None:
    """Do `work` on rows, in halves where it runs out of memory; on one row it may not."""
    try:
        work(rows)
        return
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error) or len(rows) < 2:
            raise
    # Out of the handler, whose error holds on to what takes the memory.
    import torch

    gc.collect()
    torch.cuda.empty_cache()
    middle = len(rows) // 2
    in_parts(rows[:middle], work)
    in_parts(rows[middle:], work)
