"""Schema2QA in a nutshell: programs in the form of the local-structures paper (App. A.3) with questions of our own.

The data set itself is not mirrored anywhere we know of; these few pairs only show its form. A file of the real data is
read like any other: `recombine show people.jsonl --language thingtalk`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import read_rows
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset

NAME = "schema2qa"
DESCRIPTION = "illustrations of Schema2QA's ThingTalk programs with questions of our own, not the data set"
HASH = "5d16db62422d9e15"


def load() -> Dataset:
    """The illustrations, which come with the package."""
    rows = read_rows(Path(__file__).with_suffix(".tsv"))
    return dataset_of_rows(rows, name=NAME, language=find_language("thingtalk"))
