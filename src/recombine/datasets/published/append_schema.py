"""Appends the schema of its database to each question (NQG paper, App. B.2).

The text of a schema names all tables and their columns, lower-cased, in the form of the paper's published code:
`database: question | table : column , column | table : …`. The paper's T5 takes 512 word pieces and loses what is
beyond, which cuts the schema of about 5 % of its training examples. Word pieces depend on a model, so tokens between
blanks are counted here; what is cut is counted and reported. Ids stay, so that a split of the data still fits by id;
the content hash changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.data_directory import data_file
from recombine.errors import OptionError
from recombine.languages.sql.schemas.schema_file import read_schema_file

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.languages.sql.schemas.schema_file import SchemaEntry
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


def append_schema(
    dataset: Dataset, *, limit: int | None = LIMIT, schemas: Path | str | None = None
) -> tuple[Dataset, SchemaReport]:
    """The data with the schema of its database after each source, cut to `limit` tokens, and what was done.

    The tag `db_id` of an example names its database; upper and lower case are one. `schemas` is a file as Spider's
    `tables.json`; where none is given, that of the data directory.
    """
    if limit is not None and limit < 1:
        raise OptionError(f"cannot cut sources to {limit} tokens", "give a limit of 1 or more")
    for example in dataset:
        if DATABASE not in example.tags:
            raise OptionError(
                f"the example {example.id} of {dataset.name} names no database",
                f"schemas can be appended to data with a field {DATABASE}, such as spider/ssp",
            )
    texts = read_schemas(schemas)
    examples: list[Example] = []
    lengths: list[int] = []
    for example in dataset:
        name = str(example.tags[DATABASE]).lower()
        if name not in texts:
            problem = f"{schemas or TABLES} has no database {name!r}, which {example.id} names"
            raise OptionError(problem, "check the file")
        source = example.source + texts[name]
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


def read_schemas(path: Path | str | None = None) -> dict[str, str]:
    """The text of each schema of a file, or of the data directory, by the name of its database in lower case."""
    file = read_schema_file(data_file(TABLES, "appending schemas") if path is None else path)
    return {entry.database.lower(): schema_text(entry) for entry in file.entries}


def schema_text(entry: SchemaEntry) -> str:
    """The text of one schema of Spider's `tables.json`.

    >>> from recombine.languages.sql.schemas.schema_file import SchemaEntry
    >>> columns = [[-1, "*"], [0, "ID"], [0, "Name"], [1, "Dog_ID"]]
    >>> dogs = {"db_id": "x", "table_names_original": ["Dogs", "Walks"], "column_names_original": columns}
    >>> schema_text(SchemaEntry.of(dogs))
    ' | dogs : id , name | walks : dog_id'
    """
    columns: list[list[str]] = [[] for _ in entry.tables]
    for table, column in entry.columns:
        if table >= 0:  # -1 stands for all tables and has the column `*`
            columns[table].append(column.lower())
    named = zip(entry.tables, columns, strict=True)
    return "".join(f" | {name.lower()} : {' , '.join(each)}" for name, each in named)
