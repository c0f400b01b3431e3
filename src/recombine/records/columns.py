"""A data set as Arrow columns, and the examples of such columns, made when they are asked for.

Ids and texts are columns of text; tags and contexts are JSON; a derivation is the numbers of its rules in one list of
names, and its edges. What is kept with them is what decides the rest of the data set, and its hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, overload

import orjson

from recombine.records.derivation import Derivation
from recombine.records.example import NOTHING, Example, FrozenMapping, thawed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    _Lists = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]

FORM = 1
"""Raised with every change of what is kept, or of what a loader makes of the same files."""
BATCH = 256
"""The examples that are made together; those made are kept."""
_ABOUT = b"recombine"


class StoredExamples(Sequence[Example]):
    """The examples of columns, equal to a tuple of them."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table.combine_chunks()
        self.about: Mapping[str, Any] = orjson.loads(table.schema.metadata[_ABOUT])
        """What is kept beside the columns: `hash`, and the values of `about_data`."""
        self._made: dict[int, list[Example]] = {}

    @cached_property
    def ids(self) -> list[str]:
        """The ids in order."""
        ids: list[str] = self._table["id"].to_pylist()
        return ids

    def texts(self, side: str) -> list[str]:
        """All ids, sources or targets in order, made anew each time."""
        texts: list[str] = self._table[side].to_pylist()
        return texts

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @overload
    def __getitem__(self, key: int) -> Example: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Example, ...]: ...
    def __getitem__(self, key: int | slice) -> Example | tuple[Example, ...]:
        if isinstance(key, slice):
            return tuple(self[place] for place in range(*key.indices(len(self))))
        place = key + len(self) if key < 0 else key
        if not 0 <= place < len(self):
            raise IndexError(f"there is no example {key} among {len(self)}")
        batch, row = divmod(place, BATCH)
        return self._batch(batch)[row]

    def __iter__(self) -> Iterator[Example]:
        return chain.from_iterable(map(self._batch, range(-(-len(self) // BATCH))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | StoredExamples) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)  # another process may not have the file

    def _batch(self, number: int) -> list[Example]:
        """The examples of a batch, made when it is first asked for."""
        if number not in self._made:
            rows = self._table.slice(number * BATCH, BATCH)
            start, size = number * BATCH, rows.num_rows
            self._made[number] = list(
                map(
                    Example,
                    self.ids[start : start + size],
                    rows["source"].to_pylist(),
                    rows["target"].to_pylist(),
                    self._derivations(start, start + size),
                    _read_json(rows, "tags", dict),
                    _read_json(rows, "context", FrozenMapping),
                )
            )
        return self._made[number]

    def _derivations(self, start: int, stop: int) -> list[Derivation | None]:
        if "rules" not in self._table.column_names:
            return [None] * (stop - start)
        named, (rules, edges), is_there = self._rule_names, self._graphs, [True] * (stop - start)
        if self._table["rules"].null_count:  # asking the column for more takes a module that is slow to import
            is_there = self._table["rules"].slice(start, stop - start).is_valid().to_pylist()
        first, last = int(rules[0][start]), int(rules[0][stop])
        names = [named[code] for code in rules[1][first:last].tolist()]
        below = edges[1][3 * int(edges[0][start]) : 3 * int(edges[0][stop])].tolist()
        triples = list(zip(below[::3], below[1::3], below[2::3], strict=True))
        starts = (rules[0][start : stop + 1] - first).tolist(), (edges[0][start : stop + 1] - edges[0][start]).tolist()
        return [
            Derivation(tuple(names[a:b]), tuple(triples[c:d])) if there else None
            for (a, b), (c, d), there in zip(pairwise(starts[0]), pairwise(starts[1]), is_there, strict=True)
        ]

    @cached_property
    def _rule_names(self) -> list[str]:
        return list(self.about["rules"])

    @cached_property
    def _graphs(self) -> tuple[_Lists, _Lists]:
        """For the rules and the edges of all derivations: where those of each begin, and all of them in a row."""
        rules, edges = (self._table[name].combine_chunks() for name in ("rules", "edges"))
        places = rules.offsets.to_numpy(), edges.offsets.to_numpy() // 3
        return (places[0], rules.values.to_numpy()), (places[1], edges.values.to_numpy())


def about_data(*, structures: str, language: str | None, identity: Sequence[str]) -> dict[str, Any]:
    """What decides a data set beside its examples."""
    return {"structures": structures, "language": language, "identity": list(identity)}


def columns_of(examples: Sequence[Example], about: Mapping[str, Any]) -> pa.Table | None:
    """The columns of examples, with what is kept beside them; none where columns cannot give their values back."""
    import pyarrow as pa

    try:
        return _columns(examples, about)
    except (TypeError, RecursionError, UnicodeError, OverflowError, pa.ArrowException):
        return None


def _columns(examples: Sequence[Example], about: Mapping[str, Any]) -> pa.Table:
    import pyarrow as pa

    tags = [_written(example.tags, dict) for example in examples]
    contexts = [_written(example.context, FrozenMapping) for example in examples]
    text, binary = pa.large_string(), pa.large_binary()
    columns = {
        "id": pa.array([example.id for example in examples], text),
        "source": pa.array([example.source for example in examples], text),
        "target": pa.array([example.target for example in examples], text),
    }
    if any(each is not None for each in tags):
        columns["tags"] = pa.array(tags, binary)
    if any(each is not None for each in contexts):
        columns["context"] = pa.array(contexts, binary)
    derivations = [example.derivation for example in examples]
    codes: dict[str, int] = {}
    if any(each is not None for each in derivations):
        rules = [each and [codes.setdefault(rule, len(codes)) for rule in each.rules] for each in derivations]
        edges = [each and [*chain.from_iterable(each.edges)] for each in derivations]
        columns["rules"] = pa.array(rules, pa.large_list(pa.int32()))
        columns["edges"] = pa.array(edges, pa.large_list(pa.int32()))
    metadata = orjson.dumps({**about, "rules": list(codes)})
    return pa.table(columns).replace_schema_metadata({_ABOUT: metadata})


def _written(values: Mapping[str, Any], kind: type) -> bytes | None:
    """Values as JSON; none for `NOTHING`. What JSON does not give back as it is, such as a tuple, is a `TypeError`."""
    if values is NOTHING:
        return None
    plain = thawed(values)
    data = orjson.dumps(plain)
    if type(values) is not kind or not _same(orjson.loads(data), plain if kind is FrozenMapping else values):
        raise TypeError("JSON does not give this back")
    return data


def _same(read: Any, plain: Any) -> bool:
    """Whether values and their types are the same, with keys in the same order."""
    if type(read) is not type(plain):
        return False
    if isinstance(read, dict):
        return [*read] == [*plain] and all(map(_same, read.values(), plain.values()))
    if isinstance(read, list):
        return len(read) == len(plain) and all(map(_same, read, plain))
    return bool(read == plain)


def _read_json(rows: pa.Table, name: str, kind: type) -> list[Mapping[str, Any]]:
    if name not in rows.column_names:
        return [NOTHING] * rows.num_rows
    values = rows[name].to_pylist()
    if kind is dict:
        return [NOTHING if value is None else orjson.loads(value) for value in values]
    return [NOTHING if value is None else kind(orjson.loads(value)) for value in values]
