"""Schema2QA in a nutshell: programs in the form of the local-structures paper (App. A.3) with questions of our own.

The data set itself is not mirrored anywhere we know of; these few pairs only show its form. A file of the real data is
read like any other: `recombine show people.jsonl --language thingtalk`. Its programs have string values; the paper puts
the columns they are compared with in their place in the questions (`with_columns`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import read_rows
from recombine.errors import OptionError
from recombine.languages.known import find_language
from recombine.languages.thingtalk import utterance_with_columns

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset

NAME = "schema2qa"
DESCRIPTION = "illustrations of Schema2QA's ThingTalk programs with questions of our own, not the data set"
HASH = "5d16db62422d9e15"


def load() -> Dataset:
    """The illustrations, which come with the package."""
    rows = read_rows(Path(__file__).with_suffix(".tsv"))
    return dataset_of_rows(rows, name=NAME, language=find_language("thingtalk"))


def with_columns(dataset: Dataset) -> tuple[Dataset, int]:
    """The data with the columns of string values in place of these in the sources, and how many sources that changed.

    Ids stay, so that a split of the data still fits by id; the content hash changes.
    """
    if dataset.language is None or dataset.language.name != "thingtalk":
        raise OptionError(
            f"the targets of {dataset.name} are not known to be ThingTalk, so their columns are not known",
            "give --language thingtalk, or leave out --columns",
        )
    examples = tuple(replace(e, source=utterance_with_columns(e.source, e.target)) for e in dataset)
    changed = sum(new.source != old.source for new, old in zip(examples, dataset, strict=True))
    return dataset.with_examples(examples, name=f"{dataset.name}+columns"), changed
