"""Turtle, read by pyoxigraph as it comes and brought into keys by the reader of N-Triples.

What is held is a batch of triples, a term (pyoxigraph takes none above 16 MiB), and a number for each node that has no
label in the file (`[ … ]` and lists). pyoxigraph gives such nodes labels by chance; here they are numbered in the order
in which they come, so that the same file gives the same keys.
"""

from __future__ import annotations

import re
from io import RawIOBase
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import pyarrow as pa

from recombine.errors import InputFileError, KnowledgeBaseError, RecordError
from recombine.kb.loaders.line_blocks import BLOCK, LineBlock, iter_pieces
from recombine.kb.loaders.ntriples import ntriples_batch
from recombine.kb.loaders.triple_batch import COLUMNS, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PIECE = 1 << 16
_TRIPLES = 50_000
"""How many triples a batch has."""
_BY_CHANCE = re.compile(rb"[0-9a-f]{20,32}")
"""What pyoxigraph gives to a node without a label: a number of 128 bits, of which few begin with 48 zeros."""


def iter_turtle(path: Path, *, base: str, blank_prefix: str = "") -> Iterator[Any]:
    """The triples of a file, some thousand at a time; relative IRIs stand under a base."""
    stream = _Stream(path)
    parsed = _parsed(stream, base)
    numbers: dict[bytes, int] = {}
    while block := _ntriples(stream, parsed):
        try:
            batch = ntriples_batch(path, LineBlock(block, 1))
        except RecordError as error:  # lines of our own, which only what is newer than RDF 1.1 makes different
            problem = f"{path}, line {stream.line} or before: has a term that RDF 1.1 does not have"
            raise InputFileError(problem, "write it with plain triples") from error
        yield _with_stable_labels(batch, numbers, blank_prefix.encode())


class _Stream(RawIOBase):
    """The bytes of a file, unpacked, as pyoxigraph asks for them, and how many lines it has seen."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        self.size = 0
        self._pieces = iter_pieces(path, _PIECE)
        self._held = memoryview(b"")

    def read(self, size: int = -1) -> bytes:
        """The next bytes, no more than some."""
        if not self._held and size:
            self._held = memoryview(self._next_piece())
        taken = bytes(self._held[:size] if size >= 0 else self._held)
        self._held = self._held[len(taken) :]
        self.line += taken.count(b"\n")
        self.size += len(taken)
        return taken

    def _next_piece(self) -> bytes:
        piece = next(self._pieces, b"")
        zero = piece.find(b"\0")
        if zero >= 0:
            line = self.line + piece.count(b"\n", 0, zero)
            raise RecordError(self.path, f"line {line}", "holds a zero byte", "give a text file, or take it out")
        return piece


def _parsed(stream: _Stream, base: str) -> Any:
    try:
        import pyoxigraph
    except ImportError as error:
        remedy = "install recombine[kb], or convert the file to N-Triples, which needs nothing more"
        raise KnowledgeBaseError(f"{stream.path}: Turtle is read by pyoxigraph, which is not here", remedy) from error
    return pyoxigraph.parse(input=cast("BinaryIO", stream), format=pyoxigraph.RdfFormat.TURTLE, base_iri=base)


def _ntriples(stream: _Stream, parsed: Any) -> bytes:
    """The next triples as lines of N-Triples; empty at the end."""
    import pyoxigraph

    try:
        block: bytes | None = pyoxigraph.serialize(_portion(stream, parsed), format=pyoxigraph.RdfFormat.N_TRIPLES)
    except SyntaxError as error:
        message = re.sub(r"^Parser error (?:at|between) .*?: ", "", error.msg)
        record = f"line {error.lineno}, column {error.offset}"
        raise RecordError(stream.path, record, f"is no Turtle ({message})", "mend the file") from error
    except MemoryError as error:
        problem = f"a term that has not ended by line {stream.line} is longer than 16 MiB"
        raise InputFileError(f"{stream.path}: {problem}", "shorten it, or leave it out") from error
    return block or b""


def _portion(stream: _Stream, parsed: Any) -> Iterator[Any]:
    """The triples of about a block of the file, and of no more than some."""
    begin = stream.size
    for triple in islice(parsed, _TRIPLES):
        yield triple
        if stream.size - begin > BLOCK:
            return


def _with_stable_labels(batch: Any, numbers: dict[bytes, int], prefix: bytes) -> Any:
    """A batch with numbers for the labels that were given by chance, and the prefix of the file before all."""
    columns = []
    for name in COLUMNS:
        column = batch.column(name)
        keys = column.to_pylist() if name != "relation" and _has_blank(column) else None
        if keys is None:
            columns.append(column)
        else:
            stable = [_stable(key, numbers, prefix) if key.startswith(b"_") else key for key in keys]
            columns.append(pa.array(stable, pa.large_binary()))
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _has_blank(column: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.starts_with(column, "_")).as_py())


def _stable(key: bytes, numbers: dict[bytes, int], prefix: bytes) -> bytes:
    label = key[1:]
    if _BY_CHANCE.fullmatch(label):
        return b"_%sanon%d" % (prefix, numbers.setdefault(label, len(numbers) + 1))
    # A label that begins with `anon` gets another, so that none is taken for a number given here.
    return b"_%s%s%s" % (prefix, b"anon" if label.startswith(b"anon") else b"", label)
