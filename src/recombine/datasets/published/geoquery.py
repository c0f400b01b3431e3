"""GeoQuery: questions about US geography with FunQL programs, entities as placeholders (NQG paper, App. B.2).

880 lines, of which 575 are distinct pairs; a repeated pair has the id of the first with an occurrence number. The
published splits are lists of line numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.data_directory import data_file, published_splits
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import read_rows
from recombine.languages.funql import FUNQL

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset

NAME = "geoquery/funql"
DESCRIPTION = "questions about US geography and FunQL programs"
HASH = "cef7c541a430e0ae"
FILES = ("geoquery/geo_dataset.tsv",)


def load() -> Dataset:
    """The data set, read from the data directory."""
    rows = read_rows(data_file(FILES[0], NAME), columns=("source", "target"))
    return dataset_of_rows(rows, name=NAME, language=FUNQL)


def split_files() -> dict[str, Path]:
    """The published splits that are on this machine, by name."""
    return published_splits("geoquery")


def line_order(dataset: Dataset) -> list[str]:
    """The ids by line number: the order of the file."""
    return [example.id for example in dataset]
