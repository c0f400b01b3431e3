"""Examples as the table that files and other libraries get: a column each for ids, sources, targets, derivations,
fields of contexts, and tags.

Derivations and tags are JSON text. The columns of contexts have the type of their values where all are numbers or
truths of one type; else they are texts, and objects and arrays in them are JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import MissingDataError, OutputFileError
from recombine.records.column_cells import ColumnOfCells
from recombine.records.example import thawed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from recombine.records.columns import WrittenExample
    from recombine.records.dataset import Dataset

OWN_COLUMNS = ("id", "source", "target", "derivation", "tags")
"""The columns that every table may have, whatever its contexts are."""
TEXT_COLUMNS = OWN_COLUMNS[:4]
"""What columns of examples give as texts, without a record for each."""
ROW_GROUP = 1 << 14
"""The most rows of a group of Parquet or a batch of Arrow: what is held while a file is written."""

Record = dict[str, Any]


@dataclass(frozen=True)
class WrittenTable:
    """Examples as they are written: some records at a time, so that never all of them are held."""

    dataset: Dataset
    fields: tuple[str, ...]
    """The fields of contexts."""
    path: Path | str
    """What errors name."""

    @classmethod
    def of(cls, dataset: Dataset, path: Path | str) -> WrittenTable:
        """The table of a data set; fields that cannot be written, or that some examples lack, are refused."""
        fields = tuple(dict.fromkeys(name for context in dataset.iter_mappings("context") for name in context))
        table = cls(dataset, fields, path)
        table._check_contexts()
        return table

    def iter_records(self) -> Iterator[Record]:
        """A record for each example, in which nothing of the context is missing."""
        return (written_record(example, self.fields, self.path) for example in self.dataset.iter_written())

    def _iter_values(self, name: str) -> Iterator[Any]:
        """The values of a field of contexts, as JSON has them."""
        return (thawed(context[name]) for context in self.dataset.iter_mappings("context"))

    def _check_contexts(self) -> None:
        for row, example in enumerate(self.dataset.iter_written() if self.fields else ()):
            if row == 0 or len(example.context) < len(self.fields):
                written_record(example, self.fields, self.path)

    def columns(self) -> list[str]:
        """The names of the columns: those that every record has, and those that some have."""
        derived = self.dataset.count_without_derivation() < len(self.dataset)
        tagged = any(name != "line" for tags in self.dataset.iter_mappings("tags") for name in tags)
        own = (("derivation",) if derived else (), self.fields, ("tags",) if tagged else ())
        return ["id", "source", "target", *chain.from_iterable(own)]

    def arrow(self) -> tuple[pa.Schema, Iterator[pa.Table]]:
        """The types of the columns, and all rows, some at a time."""
        import pyarrow as pa

        columns = self.columns()
        contexts = {name: ColumnOfCells.of(name, self._iter_values(name), self.path) for name in self.fields}
        types = {name: contexts[name].type() if name in contexts else pa.string() for name in columns}
        return pa.schema(types), self._iter_groups(columns, contexts, types)

    def _iter_groups(
        self, columns: Sequence[str], contexts: Mapping[str, ColumnOfCells], types: Mapping[str, pa.DataType]
    ) -> Iterator[pa.Table]:
        import pyarrow as pa

        texts = None if {*columns} - {*TEXT_COLUMNS} else self.dataset.iter_text_columns(ROW_GROUP)
        if texts is not None:
            for group in texts:
                yield pa.table({name: group[name] for name in columns})
            return
        records = self.iter_records()
        while cells := _group(islice(records, ROW_GROUP), columns, contexts):
            yield pa.table({name: pa.array(cells[name], types[name]) for name in columns})


def _group(
    records: Iterable[Record], columns: Sequence[str], contexts: Mapping[str, ColumnOfCells]
) -> dict[str, list[Any]]:
    """The cells of some records by column, those of each as soon as it is made; nothing where there are none."""
    rows = []
    for record in records:
        cells = (
            contexts[c].cells([record[c]])[0]
            if c in contexts
            else None
            if record.get(c) is None
            else cell_text(record[c])
            for c in columns
        )
        rows.append(tuple(cells))
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}


def written_record(example: WrittenExample, fields: Sequence[str], path: Path | str) -> Record:
    """An example as a record; `fields` are those of the contexts, none of which may be missing."""
    record: Record = {"id": example.id, "source": example.source, "target": example.target}
    if example.derivation is not None:
        record["derivation"] = example.derivation
    for name in fields:
        if name in OWN_COLUMNS:
            raise OutputFileError(f"{path}: the context has a field {name!r}, as every record has", "rename it")
        if name not in example.context:
            raise OutputFileError(
                f"{path}: the example {example.id} has no {name!r} in its context, though others have",
                "give it to all examples",
            )
        record[name] = thawed(example.context[name])
    tags = {key: value for key, value in example.tags.items() if key != "line"}
    return {**record, "tags": tags} if tags else record


def cell_text(value: object) -> str:
    """A value as the text of a cell."""
    return value if isinstance(value, str) else "" if value is None else orjson.dumps(value).decode()


def arrow_table(dataset: Dataset) -> pa.Table:
    """All examples as one table."""
    import pyarrow as pa

    schema, groups = WrittenTable.of(dataset, dataset.name).arrow()
    return pa.concat_tables([schema.empty_table(), *(group.cast(schema) for group in groups)])


def needed(package: str, wanted_by: str, extra: str) -> Any:
    """A library that is not one of ours, or an error that says how to install it."""
    try:
        found = import_module(package)
    except ImportError:
        found = None
    if found is None or not hasattr(found, "__version__"):  # a folder of this name imports as an empty package
        raise MissingDataError(
            f"{wanted_by} needs the package {package}, which is not installed", f"pip install 'recombine[{extra}]'"
        )
    return found
