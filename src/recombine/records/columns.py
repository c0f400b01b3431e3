"""The examples of Arrow columns, made when they are asked for.

Ids and texts are columns of text; tags and contexts are JSON; a derivation is the numbers of its rules in one list of
names, and its edges. What is kept with them is what decides the rest of the data set, and its hash where it is known.
How columns are made of examples is in `growing_columns.py`.

Examples are made in batches. Those of small data are kept once they are made; of large data only so many are, so that
whoever goes through a million examples holds a few of them at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import orjson

from recombine.records.derivation import Derivation
from recombine.records.example import NOTHING, Example, FrozenMapping
from recombine.records.rows_by_id import iter_rows_by_id

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

FORM = 2
"""Raised with every change of what is kept, or of what a loader makes of the same files."""
BATCH = 256
"""The examples that are made together."""
KEPT = 256
"""The batches that are kept of those made; data of no more than these is kept whole."""
ABOUT = b"recombine"
"""Where the schema of columns has what is kept beside them."""
_ROW_TEXTS = 1 << 15
_WRITTEN = 1 << 11
_WIDE = 1 << 10


class StoredExamples(Sequence[Example]):
    """The examples of columns, equal to a tuple of them."""

    def __init__(self, table: pa.Table, *, distinct: bool = False) -> None:
        self.table = table
        self.about: Mapping[str, Any] = orjson.loads(table.schema.metadata[ABOUT])
        """What is kept beside the columns: `rules`, and of a data set `hash` and the values of `about_data`."""
        self.distinct = distinct
        """Whether whoever made the columns saw to it that no id comes twice."""
        self._made: dict[int, list[Example]] = {}
        self._missed = -1

    # -- columns --------------------------------------------------------------------------------------------------

    @cached_property
    def ids(self) -> list[str]:
        """The ids in order."""
        return self.texts("id")

    @cached_property
    def positions(self) -> dict[str, int]:
        """The position of each id, the last one where it comes twice."""
        return {key: position for position, key in enumerate(self.ids)}

    @cached_property
    def hash(self) -> str:
        """A digest of all ids, sources and targets, whatever their order."""
        return str(self.about["hash"]) if "hash" in self.about else self._digest()

    def texts(self, side: str) -> list[str]:
        """All ids, sources or targets in order, made anew each time."""
        texts: list[str] = self.table[side].to_pylist()
        return texts

    def has(self, name: str) -> bool:
        """Whether some example may have `derivation`, `tags` or `context`."""
        return {"derivation": "rules"}.get(name, name) in self.table.column_names

    def iter_mappings(self, name: str) -> Iterator[Mapping[str, Any]]:
        """The `tags` or the `context` of each example in order."""
        kind = dict if name == "tags" else FrozenMapping
        for start in range(0, len(self), BATCH):
            yield from _read_json(self.table.slice(start, BATCH), name, kind)

    def iter_plain(self, name: str) -> Iterator[Mapping[str, Any]]:
        """The same as JSON has them, one at a time."""
        for start in range(0, len(self), _WRITTEN):
            rows = self.table.slice(start, _WRITTEN)
            if name not in rows.column_names:
                yield from [NOTHING] * rows.num_rows
                continue
            for value in rows[name].to_pylist():
                yield NOTHING if value is None else orjson.loads(value)

    def iter_written(self) -> Iterator[WrittenExample]:
        """What files keep of each example in order; derivations become texts without being made."""
        texts = _DerivationTexts(self._rule_names) if self.has("derivation") else None
        for start in range(0, len(self), BATCH):
            rows = self.table.slice(start, BATCH)
            yield from map(
                WrittenExample,
                rows["id"].to_pylist(),
                rows["source"].to_pylist(),
                rows["target"].to_pylist(),
                [None] * rows.num_rows if texts is None else texts.of(rows),
                _read_json(rows, "tags", dict),
                _read_json(rows, "context", FrozenMapping),
            )

    def iter_text_columns(self, rows: int) -> Iterator[dict[str, pa.Array]]:
        """Ids, sources, targets and, where there are some, derivations as JSON: columns of so many rows at a time."""
        import pyarrow as pa

        texts = _DerivationTexts(self._rule_names) if self.has("derivation") else None
        for start in range(0, len(self), rows):
            part = self.table.slice(start, rows)
            columns = {name: part[name].cast(pa.string()).combine_chunks() for name in ("id", "source", "target")}
            if texts is not None:
                batches = (part.slice(first, _WRITTEN) for first in range(0, part.num_rows, _WRITTEN))
                columns["derivation"] = pa.concat_arrays([pa.array(texts.of(each), pa.string()) for each in batches])
            yield columns

    def count_without_derivation(self) -> int:
        """How many examples have no derivation."""
        return int(self.table["rules"].null_count) if self.has("derivation") else len(self)

    def taken(self, rows: Sequence[int] | npt.NDArray[np.int64], *, distinct: bool = False) -> StoredExamples:
        """The examples of these rows in this order, as columns of their own."""
        import pyarrow as pa

        about = {key: value for key, value in self.about.items() if key != "hash"}
        taken = self.table.take(pa.array(rows, pa.int64()))
        return StoredExamples(taken.replace_schema_metadata({ABOUT: orjson.dumps(about)}), distinct=distinct)

    def _digest(self) -> str:
        """As `Dataset.hash` has it of plain examples: rows in the order of their ids, each text after its length."""
        digest = hashlib.blake2b(digest_size=8)
        for rows in iter_rows_by_id(self.table):
            digest.update(rows)
        return digest.hexdigest()

    # -- examples -------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @overload
    def __getitem__(self, key: int) -> Example: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Example, ...]: ...
    def __getitem__(self, key: int | slice) -> Example | tuple[Example, ...]:
        if isinstance(key, slice):
            return tuple(self.chosen(range(*key.indices(len(self)))))
        place = key + len(self) if key < 0 else key
        if not 0 <= place < len(self):
            raise IndexError(f"there is no example {key} among {len(self)}")
        number, row = divmod(place, BATCH)
        batch = self._made.get(number)
        if batch is None and self._fits_whole() | (number == self._missed):
            batch = self._kept_batch(number)
        if batch is None:  # who asks here and there would make 256 examples for each that is looked at
            self._missed = number
            return self._make(place, place + 1)[0]
        return batch[row]

    def __iter__(self) -> Iterator[Example]:
        numbers = range(-(-len(self) // BATCH))
        if self._fits_whole():
            return chain.from_iterable(map(self._kept_batch, numbers))
        starts = (number * BATCH for number in numbers)
        return chain.from_iterable(self._make(start, min(start + BATCH, len(self))) for start in starts)

    def chosen(self, rows: Iterable[int]) -> Iterator[Example]:
        """The examples of these rows, one after the other."""
        return (self[row] for row in rows)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, tuple | StoredExamples) or len(self) != len(other):
            return False
        return all(one == another for one, another in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._fits_whole():
            return tuple, (list(self),)  # another process may not have the file
        return _restored, (self.table, self.distinct)

    def _fits_whole(self) -> bool:
        return len(self) <= KEPT * BATCH

    def _kept_batch(self, number: int) -> list[Example]:
        """The examples of a batch, made when it is first asked for; the one that was made first makes room."""
        if number not in self._made:
            start = number * BATCH
            self._made[number] = self._make(start, min(start + BATCH, len(self)))
            if len(self._made) > KEPT:
                del self._made[next(iter(self._made))]
        return self._made[number]

    def _make(self, start: int, stop: int) -> list[Example]:
        """The examples of some rows."""
        rows = self.table.slice(start, stop - start)
        return list(
            map(
                Example,
                rows["id"].to_pylist(),
                rows["source"].to_pylist(),
                rows["target"].to_pylist(),
                self._derivations(rows),
                _read_json(rows, "tags", dict),
                _read_json(rows, "context", FrozenMapping),
            )
        )

    def _derivations(self, rows: pa.Table) -> list[Derivation | None]:
        if not self.has("derivation"):
            return [None] * rows.num_rows
        is_there = [True] * rows.num_rows
        if rows["rules"].null_count:  # asking the column for more takes a module that is slow to import
            is_there = rows["rules"].is_valid().to_pylist()
        codes, edges = _Lists(rows["rules"]), _Lists(rows["edges"])
        names = [self._rule_names[code] for code in codes.numbers.tolist()]
        triples = [*map(tuple, edges.numbers.reshape(-1, 3).tolist())]
        begins = codes.starts.tolist(), (edges.starts // 3).tolist()
        return [
            Derivation(tuple(names[a:b]), tuple(triples[c:d])) if there else None
            for (a, b), (c, d), there in zip(pairwise(begins[0]), pairwise(begins[1]), is_there, strict=True)
        ]

    @cached_property
    def _rule_names(self) -> list[str]:
        return list(self.about["rules"])


class WrittenExample(NamedTuple):
    """An example as files keep it, with its derivation as JSON."""

    id: str
    source: str
    target: str
    derivation: str | None
    tags: Mapping[str, Any]
    context: Mapping[str, Any]


class _DerivationTexts:
    """Derivations as JSON, put together of the texts of their rows, each of which is made once."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [orjson.dumps(name).decode() for name in names]
        self._rows: dict[int, str] = {}

    def of(self, rows: pa.Table) -> list[str | None]:
        """The texts of some rows; the same as `Derivation.to_rows` gives."""
        codes, edges = _Lists(rows["rules"]), _Lists(rows["edges"])
        keys = _tree_keys(codes, edges)
        if keys is None:
            texts = list(map(self._graph_text, codes.lists(), edges.lists()))
        else:
            written = self._written(keys.tolist())
            texts = [f"[{','.join(written[first:last])}]" for first, last in pairwise(codes.starts.tolist())]
        if not rows["rules"].null_count:
            return [*texts]
        is_there = rows["rules"].is_valid().to_pylist()
        return [text if there else None for text, there in zip(texts, is_there, strict=True)]

    def _written(self, keys: list[int]) -> list[str]:
        known = self._rows
        if len(known) > _ROW_TEXTS:
            known.clear()
        for key in set(keys) - known.keys():
            code, link = divmod(key, _WIDE * _WIDE)
            parent, slot = divmod(link, _WIDE)
            name = self._names[code]
            known[key] = f"[{name}]" if slot == _WIDE - 1 else f"[{name},{parent},{slot}]"
        return [known[key] for key in keys]

    def _graph_text(self, codes: list[int], edges: list[int]) -> str:
        rows = [f"[{self._names[code]}" for code in codes]
        for parent, child, slot in zip(edges[::3], edges[1::3], edges[2::3], strict=True):
            rows[child] += f",{parent},{slot}"
        return f"[{'],'.join(rows)}]]" if rows else "[]"


def _tree_keys(codes: _Lists, edges: _Lists) -> npt.NDArray[np.int64] | None:
    """A number for the row of each node, which says its rule, parent and slot; none where not all graphs are trees.

    The last parent and slot that there are numbers for stand for the root, so that large graphs have none.
    """
    import numpy as np

    sizes = np.diff(codes.starts)
    nodes = np.arange(len(codes.numbers)) - np.repeat(codes.starts[:-1], sizes)
    triples = edges.numbers.reshape(-1, 3).astype(np.int64)
    below = nodes > 0
    if not np.array_equal(np.diff(edges.starts), 3 * np.maximum(sizes - 1, 0)):
        return None
    if not np.array_equal(triples[:, 1], nodes[below]) or triples.max(initial=0) >= _WIDE - 1:
        return None
    links = np.full(len(nodes), _WIDE * _WIDE - 1)
    links[below] = triples[:, 0] * _WIDE + triples[:, 2]
    keys: npt.NDArray[np.int64] = codes.numbers.astype(np.int64) * (_WIDE * _WIDE) + links
    return keys


class _Lists:
    """The lists of a column of a few rows: where each begins, and all values in a row."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        import numpy as np

        starts, numbers, length = [np.zeros(1, np.int64)], [], 0
        for piece in column.chunks:
            offsets = piece.offsets.to_numpy()
            first, last = int(offsets[0]), int(offsets[-1])
            starts.append(offsets[1:] - (first - length))
            numbers.append(piece.values.to_numpy()[first:last])
            length += last - first
        self.starts: npt.NDArray[np.int64] = np.concatenate(starts)
        self.numbers: npt.NDArray[Any] = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)

    def lists(self) -> list[list[int]]:
        """The values of each row."""
        values = self.numbers.tolist()
        return [values[first:last] for first, last in pairwise(self.starts.tolist())]


def about_data(*, structures: str, language: str | None, identity: Sequence[str]) -> dict[str, Any]:
    """What decides a data set beside its examples."""
    return {"structures": structures, "language": language, "identity": list(identity)}


def _restored(table: pa.Table, distinct: bool) -> StoredExamples:  # pickle gives it by place
    return StoredExamples(table, distinct=distinct)


def _read_json(rows: pa.Table, name: str, kind: type) -> list[Mapping[str, Any]]:
    if name not in rows.column_names:
        return [NOTHING] * rows.num_rows
    values = rows[name].to_pylist()
    if kind is dict:
        return [NOTHING if value is None else orjson.loads(value) for value in values]
    return [NOTHING if value is None else kind(orjson.loads(value)) for value in values]
