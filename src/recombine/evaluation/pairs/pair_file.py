"""Pairs of a gold program and an output: JSON lines `{"gold": …, "prediction": …}`.

A record can name its database (`db_id`), and its number (`n`), else it has that of its line, from 0. An empty or null
prediction is an abstention.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, RecordError
from recombine.files import read_utf8
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

GOLD, DATABASE, NUMBER = "gold", "db_id", "n"


@dataclass(frozen=True, slots=True)
class Pair:
    """One record, and where it is in its file."""

    where: str
    n: int | str
    gold: str
    output: str
    database: str | None


@dataclass(frozen=True)
class PairFile:
    """The pairs of a file."""

    name: str
    path: str
    digest: str
    pairs: tuple[Pair, ...]


def read_pairs(path: Path | str, *, prediction: str = "prediction") -> PairFile:
    """The pairs of a file; `prediction` is the field that holds the output."""
    content = read_utf8(path)
    if not content.strip():
        raise InputFileError(f"{path}: has no pairs", "give a file with at least one")
    pairs = tuple(_pair(path, number, record, prediction) for number, record in iter_json_lines(content, path))
    return PairFile(Path(path).name, str(path), hashlib.blake2b(content, digest_size=4).hexdigest(), pairs)


def _pair(path: Path | str, line: int, record: Mapping[str, Any], prediction: str) -> Pair:
    where = f"line {line}"
    for name in (GOLD, prediction):
        if name not in record:
            also = "; name the field with --prediction" if name == prediction else ""
            raise RecordError(path, where, f"no field {name!r}", f"it has: {', '.join(record) or 'nothing'}{also}")
    gold, output, database = record[GOLD], record[prediction], record.get(DATABASE)
    for name, value in ((GOLD, gold), (prediction, "" if output is None else output), (DATABASE, database or "")):
        if not isinstance(value, str):
            raise RecordError(path, where, f"the field {name!r} is not text", "write it as a string")
    n = record.get(NUMBER, line - 1)
    if isinstance(n, bool) or not isinstance(n, int | str):
        raise RecordError(path, where, f"the field {NUMBER!r} is neither a whole number nor text", "mend it")
    return Pair(where, n, gold, output or "", database)
