"""Overnight: λ-DCS programs of eight domains.

The questions are machine-translated German, not those of the data set: use the programs only.

10,942 programs, those of the published training sets; the scope prefix of names is already gone. The split is that of
the release the file was taken from (its field `orig_split`).

The file does not name domains. It consists of blocks of one domain each, told apart by their entities and properties;
the sizes below are 80 and 20 % of each domain's training set. The tag `domain` is that of the block: a program such as
a pair of dates fits several domains and has no other.
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

NAME = "overnight"
DESCRIPTION = "λ-DCS programs of eight domains; the questions are machine-translated German, not the data set's own"
HASH = "febcb1dc8616cb23"
FILES = ("overnight/overnight_lf.jsonl.gz",)
BLOCKS = (
    *(("basketball", 1249), ("blocks", 1277), ("calendar", 535), ("housing", 602)),
    *(("publications", 512), ("recipes", 691), ("restaurants", 1060), ("socialnetwork", 2828)),
    *(("restaurants", 265), ("recipes", 173), ("basketball", 312), ("calendar", 134)),
    *(("housing", 150), ("publications", 128), ("blocks", 319), ("socialnetwork", 707)),
)
"""Domains and sizes in the order of the file: train, then dev."""


def load() -> Dataset:
    """The data set, read from the data directory."""
    path = data_file(FILES[0], NAME)
    domains = [domain for domain, size in BLOCKS for _ in range(size)]
    rows = read_rows(path)
    if len(rows) != len(domains):
        raise rows[-1].fault(f"the last of {len(rows)} records where {len(domains)} belong", "use the published file")
    rows = [row.adding(domain=domain) for row, domain in zip(rows, domains, strict=True)]
    return dataset_of_rows(rows, name=NAME, source="source_de", language=find_language("lambda_dcs"))


def inputs() -> list[Path]:
    """The files, which alone decide what is read."""
    return data_files(FILES, NAME)


def splits() -> dict[str, PartRule]:
    """The split of the release: train and dev."""
    return {"published": partial(parts_by_tag, tag="orig_split")}
