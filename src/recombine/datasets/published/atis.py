"""ATIS: questions about flights with λ-calculus programs.

5,418 questions, of which 5,033 are distinct pairs; 206 programs are a bare constant. The split is that of the release
the file was taken from (its field `orig_split`); repeats are on both sides of it. The tag `anonymized` is the
release's own anonymised program, which also replaces typed predicates where our anonymiser does not.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from recombine.data_directory import data_file, data_files
from recombine.datasets.files.read_parts import parts_by_tag
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import read_rows
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.datasets.files.read_parts import PartRule
    from recombine.records.dataset import Dataset

NAME = "atis"
DESCRIPTION = "questions about flights and λ-calculus programs"
HASH = "00bd903f5e2568c5"
FILES = ("atis/atis.jsonl.gz",)


def load() -> Dataset:
    """The data set, read from the data directory."""
    rows = read_rows(data_file(FILES[0], NAME))
    return dataset_of_rows(rows, name=NAME, language=find_language("lambda_calculus"))


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)


def splits() -> dict[str, PartRule]:
    """The split of the release."""
    return {"published": partial(parts_by_tag, tag="orig_split")}
