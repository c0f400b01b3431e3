"""Contexts in tables: a JSON value as a cell, and back as the same value.

A cell of a TSV that reads as JSON is JSON: an object or an array however it is written; a number, a truth, null or a
text in quotes only as JSON itself would write it. So `7` is a number as in JSON lines, `007` and `1e2` are texts, and
no two cells that differ become one value, but for blanks in objects and arrays. The same holds for CSV.
"""

from __future__ import annotations

from typing import Any

import orjson

from recombine.records.column_cells import read_json


def as_it_is(value: Any) -> Any:
    """A value of a file whose values are JSON."""
    return value


def read_tsv_cell(value: Any) -> Any:
    """The value of a cell of a TSV.

    >>> [read_tsv_cell(cell) for cell in ("7", '"7"', "007", "[1, 2]", "[1", "")]
    [7, '7', '007', [1, 2], '[1', '']
    """
    read = read_json(value)
    plain = isinstance(read, dict | list) or orjson.dumps(read).decode() == value
    return read if plain else value


def write_tsv_cell(value: Any) -> str:
    """The cell of a value.

    >>> [write_tsv_cell(value) for value in (7, "7", "x", [1], None)]
    ['7', '"7"', 'x', '[1]', 'null']
    """
    if isinstance(value, str) and read_tsv_cell(value) == value:
        return value
    return orjson.dumps(value).decode()
