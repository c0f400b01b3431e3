"""Spider-SSP: questions on databases that train and test share, with SQL (NQG paper, §5.1 and App. B.2).

The lines of Spider's training questions on 51 databases, in the paper's form: `database: question` and the query, both
lower-cased. 4,376 lines, of which 4,368 are distinct pairs. The published splits are lists of line numbers; the one by
length is by the length of the question. The database is the tag `db_id`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.data_directory import data_file, data_files, published_splits
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import read_rows
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.datasets.files.rows import PlacedRecord
    from recombine.records.dataset import Dataset

NAME = "spider/ssp"
DESCRIPTION = "questions on 51 databases and SQL, train and test on the same databases"
HASH = "ef5de5c5be92b9b9"
FILES = ("spider/spider_ssp.tsv.gz",)


def load() -> Dataset:
    """The data set, read from the data directory."""
    rows = read_rows(data_file(FILES[0], NAME), columns=("source", "target"))
    dataset = dataset_of_rows([_with_database(row) for row in rows], name=NAME, language=find_language("sql"))
    return replace(dataset, structures="tmcd:spider")


def _with_database(row: PlacedRecord) -> PlacedRecord:
    database, colon, _ = row.text("source").partition(": ")
    if not colon:
        raise row.fault("does not begin with the name of a database", "write `database: question`")
    return row.adding(db_id=database)


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)


def split_files() -> dict[str, Path]:
    """The published splits that are on this machine, by name."""
    return published_splits("spider")
