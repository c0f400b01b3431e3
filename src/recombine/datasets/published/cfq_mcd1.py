"""CFQ's pairs of the split MCD1: questions and SPARQL queries, train and dev (CFQ paper, §3).

95,743 and 11,968 pairs with entities as M0, M1 …, in the tokenisation of the CFQ release's own preprocessing, the
leading `ns:` of each property gone. The test part and the rule trees are not in these files.
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

NAME = "cfq/mcd1"
DESCRIPTION = "questions and SPARQL queries of CFQ's split MCD1, train and dev"
HASH = "949b2031cf2773c6"
FILES = ("cfq/mcd1_train.tsv.gz", "cfq/mcd1_dev.tsv.gz")
PARTS = ("train", "dev")


def load() -> Dataset:
    """The data set, read from the data directory."""
    rows = read_parts(dict(zip(PARTS, data_files(FILES, NAME), strict=True)), columns=("source", "target"))
    return dataset_of_rows(rows, name=NAME, language=find_language("sparql"))


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)


def splits() -> dict[str, PartRule]:
    """The split that the files make."""
    return {"published": parts_by_tag}
