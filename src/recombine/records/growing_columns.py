"""Columns that grow by some examples at a time, so that the examples themselves need not be held.

What JSON would not give back as it is (a tuple among the tags, a number of more than 64 bits) cannot be kept in
columns. Such data is kept as it is.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import orjson

from recombine.records.columns import ABOUT, StoredExamples
from recombine.records.example import NOTHING, FrozenMapping, thawed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from recombine.records.derivation import Derivation
    from recombine.records.example import Example

CHUNK = 1 << 11
"""The examples that are added together."""
FEW = 1 << 12
"""Up to so many examples are kept as they are: loading what handles columns would take longer than it saves."""
_ORDER = ("id", "source", "target", "tags", "context", "rules", "edges")


def gathered(examples: Iterable[Example], *, few: int = FEW, distinct: bool = False) -> Sequence[Example]:
    """The examples to keep: a tuple where they are few or cannot be columns, else columns; each is asked for once.

    `distinct` says that whoever gives them sees to it that no id comes twice.

    >>> from recombine.records.example import Example
    >>> type(gathered([Example.of("jump", "I_JUMP")])).__name__
    'tuple'
    """
    if isinstance(examples, tuple | StoredExamples):
        return examples
    stream = iter(examples)
    chunk = list(islice(stream, few + 1))
    if len(chunk) <= few:
        return tuple(chunk)
    columns = GrowingColumns()
    while chunk:
        with uncollected():
            if not columns.add(chunk):
                return (*StoredExamples(columns.table({})), *chunk, *stream)
            chunk.clear()
            chunk = list(islice(stream, CHUNK))
    return StoredExamples(columns.table({}), distinct=distinct)


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave the search for cycles until after the block: it would look at all that a block holds again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def columns_of(examples: Sequence[Example], about: Mapping[str, Any]) -> pa.Table | None:
    """The columns of examples, with what is kept beside them; none where columns cannot give their values back."""
    if isinstance(examples, StoredExamples):
        kept = {**about, "rules": examples.about["rules"]}
        return examples.table.replace_schema_metadata({ABOUT: orjson.dumps(kept)})
    columns = GrowingColumns()
    starts = range(0, len(examples), CHUNK)
    if not all(columns.add(examples[start : start + CHUNK]) for start in starts):
        return None
    return columns.table(about).combine_chunks()


class GrowingColumns:
    """Columns of the examples that were added so far; rules are numbered as they come."""

    def __init__(self) -> None:
        self._chunks: list[dict[str, pa.Array]] = []
        self._sizes: list[int] = []
        self._codes: dict[str, int] = {}

    def add(self, examples: Sequence[Example]) -> bool:
        """Add some examples; false, and nothing added, where columns cannot give their values back."""
        import pyarrow as pa

        try:
            chunk = self._columns(examples)
        except (TypeError, RecursionError, UnicodeError, OverflowError, pa.ArrowException):
            return False
        self._chunks.append(chunk)
        self._sizes.append(len(examples))
        return True

    def table(self, about: Mapping[str, Any]) -> pa.Table:
        """All columns, with what is kept beside them."""
        import pyarrow as pa

        names = [name for name in _ORDER if name in _ORDER[:3] or any(name in chunk for chunk in self._chunks)]
        columns = {name: self._whole(name) for name in names}
        metadata = orjson.dumps({**about, "rules": list(self._codes)})
        return pa.table(columns).replace_schema_metadata({ABOUT: metadata})

    def _whole(self, name: str) -> pa.ChunkedArray:
        """All chunks of a column, in the widest type of them; nulls where a chunk has none."""
        import pyarrow as pa

        types = {chunk[name].type for chunk in self._chunks if name in chunk} or {pa.large_string()}
        widest = max(types, key=_width)
        pieces = [
            pa.nulls(size, widest)
            if name not in chunk
            else chunk[name]
            if chunk[name].type == widest  # a cast would copy it
            else chunk[name].cast(widest)
            for chunk, size in zip(self._chunks, self._sizes, strict=True)
        ]
        return pa.chunked_array(pieces, widest)

    def _columns(self, examples: Sequence[Example]) -> dict[str, pa.Array]:
        import pyarrow as pa

        text, binary = pa.large_string(), pa.large_binary()
        columns = {
            "id": pa.array([example.id for example in examples], text),
            "source": pa.array([example.source for example in examples], text),
            "target": pa.array([example.target for example in examples], text),
        }
        tags = [_written(example.tags, dict) for example in examples]
        contexts = [_written(example.context, FrozenMapping) for example in examples]
        if any(each is not None for each in tags):
            columns["tags"] = pa.array(tags, binary)
        if any(each is not None for each in contexts):
            columns["context"] = pa.array(contexts, binary)
        derivations = [example.derivation for example in examples]
        if any(each is not None for each in derivations):
            codes, lengths = self._numbers(derivations)
            columns["rules"] = _lists(codes, lengths, derivations)
            edges = [() if each is None else each.edges for each in derivations]
            flat = list(chain.from_iterable(chain.from_iterable(edges)))
            columns["edges"] = _lists(flat, [3 * len(each) for each in edges], derivations)
        return columns

    def _numbers(self, derivations: Sequence[Derivation | None]) -> tuple[list[int], list[int]]:
        """The numbers of the rules of all derivations in a row, and how many each has."""
        rules = [() if each is None else each.rules for each in derivations]
        codes = self._codes
        try:
            numbers = list(map(codes.__getitem__, chain.from_iterable(rules)))
        except KeyError:  # some rule is new
            numbers = [codes.setdefault(rule, len(codes)) for rule in chain.from_iterable(rules)]
        return numbers, list(map(len, rules))


def _lists(values: list[int], lengths: list[int], derivations: Sequence[Derivation | None]) -> pa.Array:
    """A column of lists of whole numbers, in the narrowest type that holds them; null where there is no derivation."""
    import numpy as np
    import pyarrow as pa

    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    numbers = _narrow(values)
    missing = np.array([each is None for each in derivations])
    mask = pa.array(missing) if missing.any() else None
    return pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(numbers), mask=mask)


def _narrow(values: list[int]) -> NDArray[Any]:
    """Whole numbers in the narrowest type that holds them."""
    import numpy as np

    try:
        return np.frombuffer(bytes(values), np.uint8)
    except ValueError:  # some are no bytes
        numbers = np.array(values, np.int64)
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if not -(1 << 31) <= low <= high < 1 << 31:
        raise OverflowError("no number of 32 bits")
    return numbers.astype(np.uint16 if low >= 0 and high < 1 << 16 else np.int32)


def _width(kind: pa.DataType) -> int:
    return int(getattr(kind, "value_type", kind).bit_width) if hasattr(kind, "value_type") else 0


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
