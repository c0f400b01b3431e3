"""A split of SCAN, two files of commands and actions, as line numbers of the file of all of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals


def scan_split(originals: Originals) -> bytes:
    """The index form of the CFQ release: each line of `train` and `test` by the number that it has in `tasks`."""
    number_of: dict[str, int] = {}
    for number, line in enumerate(originals.lines("tasks")):
        number_of.setdefault(line, number)
    parts = {part: _numbers(originals, part, number_of) for part in ("train", "test")}
    return json.dumps({"trainIdxs": parts["train"], "devIdxs": [], "testIdxs": parts["test"]}).encode()


def _numbers(originals: Originals, part: str, number_of: dict[str, int]) -> list[int]:
    numbers = []
    for place, line in enumerate(originals.lines(part), start=1):
        if line not in number_of:
            raise originals.fault(part, place, "is no line of tasks.txt")
        numbers.append(number_of[line])
    return numbers
