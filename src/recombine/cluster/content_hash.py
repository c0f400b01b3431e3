"""The content hash of a folder, the same as that of its rows in one file, and whether its ids are unique.

The hash is made of all rows in the order of their ids. Parts cut their rows into ranges of ids, packed; the rows of a
range meet in one task, which sorts them; the ranges then come one by one to where the command runs and are hashed. So
nobody holds more than a range unpacked. What was found is kept in the user's cache under the digests of the files.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.cluster.folder_data import iter_blocks, iter_ids
from recombine.data_cache import content_key, read_stored, store
from recombine.errors import RecordError
from recombine.progress import bar
from recombine.records.dataset import content_digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from recombine.cluster.folder_data import FolderData
    from recombine.cluster.session import Session

FORM = 1
"""Raised with every change of what is kept."""
RANGE, RANGES = 150_000, 2_000
"""The rows of a range, about, and the most ranges: each part has a task for each of them."""
SAMPLES = 100
"""The ids of a part that ranges are chosen by."""


def with_numbered_repeats(session: Session, data: FolderData) -> FolderData:
    """Data without ids of its own with the repeats of a content numbered, in the order of the parts."""
    import numpy as np

    if data.has_ids:
        return data
    keys = session.map("making ids", "content_hash:content_keys", [(task,) for task in data.tasks()])
    every = np.concatenate(keys)
    order = np.argsort(every, kind="stable")
    ordered = every[order]
    firsts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] + np.uint64(1)) != 0)
    occurrence = np.arange(len(every)) - np.repeat(firsts, np.diff(firsts, append=len(every))) + 1
    again = occurrence > 1
    rows, numbers = order[again], occurrence[again]
    by_row = np.argsort(rows)
    rows, numbers = rows[by_row], numbers[by_row]
    repeats = {}
    for part, (low, high) in enumerate(zip(data.starts, data.starts[1:], strict=False)):
        first, last = np.searchsorted(rows, [low, high])
        if first < last:
            repeats[part] = (rows[first:last] - low, numbers[first:last])
    return replace(data, repeats=repeats)


def content_keys(task: Mapping[str, Any]) -> NDArray[np.uint64]:
    """The content ids of a part as numbers."""
    import numpy as np

    plain = {**task, "has_ids": False, "repeats": None}
    return np.array([int(key, 16) for ids in iter_ids(plain) for key in ids], np.uint64)


def content_hash(session: Session, data: FolderData) -> str:
    """The hash of all ids, sources and targets, from the cache where the files are known there."""
    import pyarrow as pa

    decided = ("folder hash", str(FORM), data.source, data.target, *data.digests)
    key = content_key(text.encode() for text in decided)
    kept = read_stored(key)
    if kept is not None:
        return str(kept["hash"][0].as_py())
    made = _made_hash(session, data)
    store(key, pa.table({"hash": [made]}))
    return made


def _made_hash(session: Session, data: FolderData) -> str:
    import pyarrow as pa

    tasks = data.tasks()
    samples = sorted(
        key for keys in session.map("ranging ids", "content_hash:sample_ids", [(t,) for t in tasks]) for key in keys
    )
    ranges = min(RANGES, max(1, len(data) // RANGE))
    bounds = [samples[len(samples) * number // ranges] for number in range(1, ranges)]
    cut = [session.submit("content_hash:cut_rows", task, bounds) for task in tasks]
    session.results("cutting rows", cut, keep=True)
    pieces = [[session.submit("content_hash:pick", future, number) for future in cut] for number in range(ranges)]
    del cut
    digest, repeated = content_digest(), ""
    waiting: list[Any] = []
    at_once = 2 * max(1, len(session.client.nthreads()))
    with bar("hashing", counts="ranges") as update:
        for number in range(ranges):
            while pieces and len(waiting) < at_once:
                waiting.append(session.submit("content_hash:sorted_rows", *pieces.pop(0)))
            packed = session.result(waiting.pop(0))
            if isinstance(packed, str):
                repeated = packed
                break
            digest.update(pa.decompress(packed[0], packed[1], "zstd"))
            if update is not None:
                update(number + 1, ranges, "")
    if repeated:
        raise _repeated(session, data, repeated)
    return digest.hexdigest()


def sample_ids(task: Mapping[str, Any]) -> list[str]:
    """Some ids of a part, from all over their order."""
    ids = sorted(key for keys in iter_ids(task) for key in keys)
    return ids[:: max(1, len(ids) // SAMPLES)]


def cut_rows(task: Mapping[str, Any], bounds: Sequence[str]) -> list[bytes]:
    """The rows of a part by the ranges of their ids, packed."""
    import numpy as np
    import pyarrow as pa

    cut: list[list[pa.RecordBatch]] = [[] for _ in range(len(bounds) + 1)]
    places = np.array(bounds, object)
    for block in iter_blocks(task, ids=True):
        columns = [pa.array(column, pa.large_string()) for column in (block.ids, block.sources, block.targets)]
        batch = pa.record_batch(columns, names=["id", "source", "target"])
        which = np.searchsorted(places, np.array(block.ids, object), side="right")
        order = np.argsort(which, kind="stable")
        ends = np.cumsum(np.bincount(which, minlength=len(cut)))
        for number, (low, high) in enumerate(zip(ends - np.diff(ends, prepend=0), ends, strict=True)):
            if low < high:
                cut[number].append(batch.take(pa.array(order[low:high])))
    return [packed_batches(batches) for batches in cut]


def packed_batches(batches: Sequence[pa.RecordBatch]) -> bytes:
    """Batches of one schema in few bytes; none are no bytes."""
    import pyarrow as pa

    if not batches:
        return b""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(
        sink, batches[0].schema, options=pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", compression_level=1))
    ) as writer:
        writer.write_table(pa.Table.from_batches(batches).combine_chunks())
    return bytes(sink.getvalue())


def unpacked(piece: bytes) -> pa.Table:
    """The table of packed batches."""
    import pyarrow as pa

    return pa.ipc.open_stream(piece).read_all()


def pick(pieces: Sequence[Any], number: int) -> Any:
    """One of the pieces that a task made."""
    return pieces[number]


def sorted_rows(*pieces: bytes) -> tuple[bytes, int] | str:
    """The rows of a range as the hash takes them, packed, and their size; or an id that is there twice."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    tables = [unpacked(piece) for piece in pieces if piece]
    if not tables:
        return pa.compress(b"", "zstd", asbytes=True), 0
    table = pa.concat_tables(tables).combine_chunks()
    table = table.take(pc.sort_indices(table["id"])).combine_chunks()
    ids = table["id"].combine_chunks()
    same = pc.index(pc.equal(ids.slice(1), ids.slice(0, len(ids) - 1)), True).as_py() if len(ids) > 1 else -1
    if same >= 0:
        return str(ids[same].as_py())
    cells: list[pa.Array] = []
    for name in ("id", "source", "target"):
        text = table[name].combine_chunks().cast(pa.large_binary())
        lengths = np.ascontiguousarray(pc.binary_length(text).to_numpy(zero_copy_only=False), "<i8")
        sizes = pa.Array.from_buffers(pa.binary(8), len(text), [None, pa.py_buffer(lengths)])
        cells += [sizes.cast(pa.large_binary()), text]
    rows = pc.binary_join_element_wise(*cells, pa.scalar(b"", pa.large_binary()))
    offsets = np.frombuffer(rows.buffers()[1], np.int64, len(rows) + 1, rows.offset * 8)
    framed = rows.buffers()[2].slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
    return pa.compress(framed, "zstd", asbytes=True), framed.size


def _repeated(session: Session, data: FolderData, key: str) -> RecordError:
    """The error of an id that stands twice, with both places."""
    found = session.map("looking for an id", "content_hash:places", [(task, key) for task in data.tasks()])
    places = [(path, row) for path, rows in zip(data.paths, found, strict=True) for row in rows]
    (first, row), (again, other) = places[:2]
    where = f"row {row}" if first == again else f"{first}, row {row}"
    return RecordError(again, f"row {other}", f"the id {key!r} stands already in {where}", "make ids unique")


def places(task: Mapping[str, Any], key: str) -> list[int]:
    """The numbers of the rows with an id, counted from 1."""
    rows: list[int] = []
    first = 0
    for ids in iter_ids(task):
        rows += [first + place for place, each in enumerate(ids, start=1) if each == key]
        first += len(ids)
    return rows
