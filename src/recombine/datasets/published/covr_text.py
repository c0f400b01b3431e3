"""COVR without images: questions and programs of the local-structures paper, with the splits they were seen in.

4,991 distinct pairs, a sample of what the paper trained and tested on. A record's `seen_in` lists where it was seen, as
`train:0` or `test:3`. The split `grammar/N` is therefore a sample of the paper's N-th grammar split, 2 to 109 pairs of
its train part and 24 to 35 of its test part; 83 of the paper's 124 splits have one.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from recombine.data_directory import data_file, data_files
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import read_rows
from recombine.datasets.published.digests import published
from recombine.errors import SplitError
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.datasets.files.read_parts import PartRule
    from recombine.records.dataset import Dataset

NAME = "covr/text"
DESCRIPTION = "questions about animals and programs, with samples of 83 grammar splits"
HASH = "0be01a83063aee38"
FILES = ("covr_text/examples.jsonl.gz",)
SEEN_IN = "seen_in"


def load() -> Dataset:
    """The data set, read from the data directory."""
    return dataset_of_rows(read_rows(data_file(FILES[0], NAME)), name=NAME, language=find_language("covr"))


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)


def splits() -> dict[str, PartRule]:
    """The samples of the published grammar splits."""
    return {name: partial(seen_in, number=name.removeprefix("grammar/")) for name in published(NAME).splits}


def seen_in(dataset: Dataset, number: str) -> dict[str, tuple[str, ...]]:
    """The ids that were seen in train and in test of one grammar split."""
    parts: dict[str, list[str]] = {"train": [], "test": []}
    for example in dataset:
        places: object = example.tags.get(SEEN_IN)
        if not isinstance(places, list):
            raise SplitError(
                f"the example {example.id} of {dataset.name} does not say where it was seen",
                "load the data by its name in the catalogue",
            )
        for part, ids in parts.items():
            if f"{part}:{number}" in places:
                ids.append(example.id)
    return {part: tuple(ids) for part, ids in parts.items()}
