"""What training with torch in a process of a study needs, whatever the model."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.task import Task


def check_parent(task: Task) -> None:
    """End the process where the one that gave it the task is gone."""
    if task.coordinator is not None and os.getppid() != task.coordinator:
        os._exit(1)  # nobody is left to be told


@contextmanager
def threads(number: int) -> Iterator[None]:
    """As many threads for sums, so that their order, and with it the last bits, do not depend on the machine's load."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)
