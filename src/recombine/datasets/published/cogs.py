"""COGS: sentences and logical forms, with a set that asks for 21 types of generalization (Kim & Linzen, 2020).

24,155 training pairs, among them 143 primitives and twelve sentences that show a word in one place only; 3,000 each for
dev and test, and 1,000 of each type in `gen`. The tag `type` is the third column of the files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.data_directory import data_files
from recombine.datasets.files.read_parts import parts_by_tag, read_parts
from recombine.datasets.files.rows import dataset_of_rows
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.datasets.files.read_parts import PartRule
    from recombine.records.dataset import Dataset

NAME = "cogs"
DESCRIPTION = "sentences and logical forms, with 21 types of generalization"
HASH = "d3550ddc3c6e04a4"
FILES = ("cogs/train.tsv.gz", "cogs/dev.tsv.gz", "cogs/test.tsv.gz", "cogs/gen_2020-10-12.tsv.gz")
PARTS = ("train", "dev", "test", "gen")


def load() -> Dataset:
    """The data set, read from the data directory."""
    files = dict(zip(PARTS, data_files(FILES, NAME), strict=True))
    rows = read_parts(files, columns=("source", "target", "type"))
    return dataset_of_rows(rows, name=NAME, language=find_language("cogs"))


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)


def splits() -> dict[str, PartRule]:
    """The split that the files make."""
    return {"published": parts_by_tag}
