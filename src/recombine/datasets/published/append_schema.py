"""Appends the schema of its database to each question (NQG paper, App. B.2).

The text of a schema names all tables and their columns, lower-cased, in the form of the paper's published code:
`database: question | table : column , column | table : …`. The paper's T5 takes 512 word pieces and loses what is
beyond, which cuts the schema of about 5 % of its training examples. Word pieces depend on a model, so tokens between
blanks are counted here; what is cut is counted and reported. Ids stay, so that a split of the data still fits by id;
the content hash changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recombine.data_directory import data_file
from recombine.datasets.files.tables import read_rows
from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.datasets.files.rows import PlacedRecord
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

LIMIT = 512
TABLES = "spider/tables.json.gz"
DATABASE = "db_id"


@dataclass(frozen=True)
class SchemaReport:
    """What appending did: how many sources were cut to the limit, and the longest source before that."""

    examples: int
    databases: int
    limit: int | None
    truncated: int
    longest: int

    def __str__(self) -> str:
        """One sentence for the person."""
        text = f"the schemas of {self.databases} databases appended to {self.examples:,} sources"
        if self.limit is None:
            return f"{text}; the longest has {self.longest:,} tokens"
        return f"{text}; {self.truncated:,} were longer than {self.limit} tokens between blanks and are cut there"


def append_schema(dataset: Dataset, *, limit: int | None = LIMIT) -> tuple[Dataset, SchemaReport]:
    """The data with the schema of its database after each source, cut to `limit` tokens, and what was done.

    The tag `db_id` of an example names its database; upper and lower case are one.
    """
    if limit is not None and limit < 1:
        raise OptionError(f"cannot cut sources to {limit} tokens", "give a limit of 1 or more")
    for example in dataset:
        if DATABASE not in example.tags:
            raise OptionError(
                f"the example {example.id} of {dataset.name} names no database",
                f"schemas can be appended to data with a field {DATABASE}, such as spider/ssp",
            )
    schemas = read_schemas()
    examples: list[Example] = []
    lengths: list[int] = []
    for example in dataset:
        name = str(example.tags[DATABASE]).lower()
        if name not in schemas:
            raise OptionError(f"{TABLES} has no database {name!r}, which {example.id} names", "check the file")
        source = example.source + schemas[name]
        words = source.split()
        lengths.append(len(words))
        if limit is not None and len(words) > limit:
            source = " ".join(words[:limit])
        examples.append(replace(example, source=source))
    report = SchemaReport(
        examples=len(examples),
        databases=len({str(example.tags[DATABASE]).lower() for example in dataset}),
        limit=limit,
        truncated=0 if limit is None else sum(length > limit for length in lengths),
        longest=max(lengths),
    )
    return dataset.with_examples(examples, name=f"{dataset.name}+schema"), report


def read_schemas() -> dict[str, str]:
    """The text of each schema of the data directory, by the name of its database in lower case."""
    return {row.text(DATABASE).lower(): _schema(row) for row in read_rows(data_file(TABLES, "appending schemas"))}


def _schema(row: PlacedRecord) -> str:
    try:
        return schema_text(row.record)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise row.fault("does not name its tables and columns as Spider does", "use Spider's tables.json") from None


def schema_text(tables: Mapping[str, Any]) -> str:
    """The text of one schema of Spider's `tables.json`.

    >>> columns = [[-1, "*"], [0, "ID"], [0, "Name"], [1, "Dog_ID"]]
    >>> schema_text({"table_names_original": ["Dogs", "Walks"], "column_names_original": columns})
    ' | dogs : id , name | walks : dog_id'
    """
    columns: dict[int, list[str]] = {number: [] for number, _ in enumerate(tables["table_names_original"])}
    for table, column in tables["column_names_original"]:
        if table >= 0:  # -1 stands for all tables and has the column `*`
            columns[table].append(column.lower())
    names = tables["table_names_original"]
    return "".join(f" | {name.lower()} : {' , '.join(columns[number])}" for number, name in enumerate(names))
