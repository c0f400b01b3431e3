"""Writes examples as JSON lines while they are made, so that they need not be in memory together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.files.sidecar import sidecar_bytes, sidecar_path
from recombine.datasets.files.tables import check_table_writable, table_format, table_line
from recombine.errors import OptionError
from recombine.files import write_whole
from recombine.pieces import write_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from recombine.records.columns import WrittenExample
    from recombine.records.dataset import Dataset


def check_stream_writable(path: Path | str) -> Path:
    """The path, when JSON lines can be written there."""
    if table_format(path) != "jsonl":
        raise OptionError(f"{path}: is written while it is made, as JSON lines", "use .jsonl or .jsonl.gz")
    return check_table_writable(path)


def write_json_lines(examples: Iterable[WrittenExample], path: Path | str, *, like: Dataset) -> None:
    """Write examples one by one; the file is there complete or not at all, also where the process is killed.

    `like` is the data whose fields of contexts, identity and world they have; its sidecar is written beside them.
    """
    path = check_stream_writable(path)
    fields = tuple(dict.fromkeys(name for context in like.iter_mappings("context") for name in context))
    write_pieces(path, (table_line(example, fields, path) for example in examples))
    sidecar = sidecar_bytes(path, fields, like.identity, like.world)
    if sidecar is None:
        sidecar_path(path).unlink(missing_ok=True)
    else:
        write_whole(sidecar_path(path), sidecar)
