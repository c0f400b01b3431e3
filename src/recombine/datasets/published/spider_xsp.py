"""Spider-XSP: Spider's own train and dev questions, on databases that the parts do not share (NQG paper, §5.1).

7,000 and 1,034 questions on 140 and 20 databases. Source and target are in the form of the NQG paper, as in
`spider/ssp`: `database: question` and the query with single blanks, both lower-cased. So every pair of `spider/ssp`
has the same id here. The tags `question` and `query` keep the text as released, `db_id` the database.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.data_directory import data_files
from recombine.datasets.files.read_parts import parts_by_tag, read_parts
from recombine.datasets.files.rows import dataset_of_rows
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.datasets.files.read_parts import PartRule
    from recombine.datasets.files.rows import PlacedRecord
    from recombine.records.dataset import Dataset

NAME = "spider/xsp"
DESCRIPTION = "questions on 160 databases and SQL, train and dev on different databases"
HASH = "bb582d471866fd0f"
FILES = ("spider/train_spider.json.gz", "spider/dev.json.gz")
PARTS = ("train", "dev")
_KEPT = ("db_id", "question", "query", "part")


def load() -> Dataset:
    """The data set, read from the data directory."""
    rows = read_parts(dict(zip(PARTS, data_files(FILES, NAME), strict=True)))
    dataset = dataset_of_rows([_in_form(row) for row in rows], name=NAME, language=find_language("sql"))
    return replace(dataset, structures="tmcd:spider")


def _in_form(row: PlacedRecord) -> PlacedRecord:
    """The row in the form of the paper; the parse of the query, which only dev gives, is left out."""
    source = f"{row.text('db_id')}: {row.text('question')}".lower()
    target = " ".join(row.text("query").split()).lower()
    return row._replace(record={**{key: row.record[key] for key in _KEPT}, "source": source, "target": target})


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)


def splits() -> dict[str, PartRule]:
    """The split that the files make."""
    return {"published": parts_by_tag}
