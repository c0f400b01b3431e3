"""Tables of triples: a line holds subject, relation and target, and every cell is a name as it stands.

`tsv` is cut at tabs and may have more columns, which are not read and said (FB15k-237 has the part in the fourth);
`bars` is cut at `|` and has three (MetaQA). All lines of a file have as many columns as its first. A quote or a brace
in a cell belongs to the name.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputWarning, RecordError
from recombine.kb.loaders.line_blocks import MAX_LINE, LineBlock, iter_line_blocks, line_of
from recombine.kb.loaders.triple_batch import COLUMNS, batch_of, room_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEPARATORS = {"tsv": "\t", "bars": "|"}
_NEEDED = len(COLUMNS)
_NOT_EMPTY = re.compile(rb"^(?!\r?$).+", re.MULTILINE)


def iter_delimited(path: Path, form: str, *, max_line: int = MAX_LINE) -> Iterator[Any]:
    """The triples of a table, a batch for each block of lines."""
    separator, columns = SEPARATORS[form].encode(), 0
    for block in iter_line_blocks(path, max_line=max_line):
        columns = columns or _columns_of(path, block, separator, form)
        yield _batch(path, block, separator, columns)


def _columns_of(path: Path, block: LineBlock, separator: bytes, form: str) -> int:
    """How many columns the first line has that is not empty; 0 where all are."""
    first = _NOT_EMPTY.search(block.text)
    if first is None:
        return 0
    columns = first[0].count(separator) + 1
    if columns < _NEEDED or (form == "bars" and columns > _NEEDED):
        line = line_of(block, first.start())
        raise RecordError(path, f"line {line}", _wrong_number(columns, form), _remedy(form))
    if columns > _NEEDED:
        which = "column 4 is" if columns == _NEEDED + 1 else f"columns 4 to {columns} are"
        warnings.warn(f"{path}: {which} not read", InputWarning, stacklevel=2)
    return columns


def _wrong_number(columns: int, form: str) -> str:
    needed = "three" if form == "bars" else "three or more"
    return f"has {columns} column{'s' * (columns != 1)}, where {needed} are needed"


def _remedy(form: str) -> str:
    between = "tabs" if form == "tsv" else "`|`"
    return f"give subject, relation and target with {between} between them, or name the form of the file"


def _batch(path: Path, block: LineBlock, separator: bytes, columns: int) -> Any:
    from recombine.kb.loaders.delimited_kernel import COLUMNS_DIFFER, FINE, cut_cells

    lines = block.text.count(b"\n")
    subject, relation, target = room_for(lines, len(block.text))
    text = np.frombuffer(block.text, np.uint8)
    rows, fault, start, value = cut_cells(text, separator[0], columns, *subject, *relation, *target)
    if fault != FINE:
        line = f"line {line_of(block, start)}"
        if fault == COLUMNS_DIFFER:
            problem = f"has {value} column{'s' * (value != 1)}, where the first line has {columns}"
            raise RecordError(path, line, problem, "mend the line")
        raise RecordError(path, line, f"has an empty {COLUMNS[value]}", "mend the line")
    return batch_of((subject, relation, target), rows)
