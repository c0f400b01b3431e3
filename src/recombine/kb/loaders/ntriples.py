"""N-Triples: a line is `subject relation target .`, read by a kernel, many lines at a time.

The label of a blank node counts within its file. A reader of several files gives each its own prefix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import RecordError
from recombine.kb.loaders.line_blocks import MAX_LINE, LineBlock, iter_line_blocks, line_of
from recombine.kb.loaders.triple_batch import batch_of, room_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STRING = b"http://www.w3.org/2001/XMLSchema#string"


def iter_ntriples(path: Path, *, blank_prefix: str = "", max_line: int = MAX_LINE) -> Iterator[Any]:
    """The triples of a file, a batch for each block of lines."""
    for block in iter_line_blocks(path, max_line=max_line):
        yield ntriples_batch(path, block, blank_prefix)


def ntriples_batch(path: Path, block: LineBlock, blank_prefix: str = "") -> Any:
    """The triples of some lines."""
    from recombine.kb.loaders.ntriples_kernel import FAULTS, read_triples

    prefix = np.frombuffer(blank_prefix.encode(), np.uint8)
    lines = block.text.count(b"\n")
    columns = subject, relation, target = room_for(lines, len(block.text) + lines * len(prefix))
    text = np.frombuffer(block.text, np.uint8)
    string = np.frombuffer(_STRING, np.uint8)
    rows, fault, place = read_triples(text, prefix, string, *subject, *relation, *target)
    if fault:
        column = len(block.text[block.text.rfind(b"\n", 0, place) + 1 : place].decode(errors="replace")) + 1
        record = f"line {line_of(block, place)}, column {column}"
        raise RecordError(path, record, FAULTS[fault], "mend the line")
    return batch_of(columns, rows)
