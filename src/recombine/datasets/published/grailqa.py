"""GrailQA: questions over Freebase with S-expressions, at three levels of generalization (Gu et al., 2021).

600 full items, in the form of the release (`datasets/kbqa/grailqa.py`): the tags hold the graph query,
SPARQL, the answers, the `level` (i.i.d., compositional, zero-shot), domains and topic entities. The id is the `qid`,
whose first seven digits name the template. There is no split: the train set is not here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.data_directory import data_file, data_files
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import iter_rows
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset

NAME = "grailqa"
DESCRIPTION = "questions over Freebase and S-expressions: 600 items of GrailQA"
HASH = "3dab12732d0f67ad"
FILES = ("grailqa/items.jsonl.gz",)


def load() -> Dataset:
    """The data set, read from the data directory."""
    from recombine.datasets.kbqa.grailqa import GRAILQA  # not where another data set is asked for
    from recombine.datasets.kbqa.read_form import iter_prepared

    rows = iter_prepared(iter_rows(data_file(FILES[0], NAME)), GRAILQA, Counter())
    language = find_language("sexpression")
    return dataset_of_rows(rows, name=NAME, source=GRAILQA.source, target=GRAILQA.target, language=language)


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)
