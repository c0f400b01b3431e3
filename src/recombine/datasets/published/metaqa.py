"""MetaQA: questions about films that one, two or three hops in its knowledge base answer (Zhang et al., 2018).

The dev questions: 9,992, 14,872 and 14,274. There are no programs. The target is the list of answers as the release
writes it, divided by `|`; the tag `answers` is the list itself, `topic` the entity in brackets in the source. Answers
leave out the topic. Sources that differ in the topic alone are of one pattern.

Its world is MetaQA's knowledge base (`kb/metaqa/kb.txt`), of a digest that is pinned as the content is. The file of the
data directory has 129,233 facts, fewer than the original: `benchmarks/metaqa_paths.py` says how many questions it
answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.data_directory import data_directory, data_file, missing_files
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import iter_rows
from recombine.kb.kb_world import KIND, METAQA_FILE
from recombine.kb.kb_world import METAQA as PUBLISHED
from recombine.records.dataset import Pattern
from recombine.records.world import WorldReference

if TYPE_CHECKING:
    from recombine.datasets.files.rows import PlacedRecord
    from recombine.records.dataset import Dataset

_TOPIC = re.compile(r"\[([^\[\]]+)\]")


def without_topic(source: str) -> str:
    """A question whatever its topic.

    >>> without_topic("what does [Tom Cullen] act in")
    'what does [] act in'
    """
    return _TOPIC.sub("[]", source)


PATTERNS = {"source": Pattern("metaqa-question", without_topic)}


@dataclass(frozen=True)
class MetaQa:
    """The questions of so many hops, as an entry of the catalogue has them."""

    hops: int
    hash: str

    @property
    def name(self) -> str:
        """The data id."""
        return f"metaqa/{self.hops}hop"

    @property
    def description(self) -> str:
        """One line."""
        hops = f"{self.hops} hop{'s' if self.hops > 1 else ''}"
        return f"questions about films and their answers, {hops} away in a knowledge base; dev"

    @property
    def files(self) -> tuple[str, ...]:
        """The files in the data directory."""
        return (f"kb/metaqa/{self.hops}hop_dev.txt.gz",)

    def load(self) -> Dataset:
        """The data set, read from the data directory."""
        rows = iter_rows(data_file(self.files[0], self.name), columns=("source", "target"))
        dataset = dataset_of_rows(map(_with_answers, rows), name=self.name)
        return replace(dataset, patterns=PATTERNS, world=_facts(), world_is_implied=True)


def _with_answers(row: PlacedRecord) -> PlacedRecord:
    """The row with its topic and its list of answers."""
    topics = _TOPIC.findall(row.text("source"))
    if len(topics) != 1:
        raise row.fault(f"{len(topics)} topics in brackets where 1 belongs", "use the published file")
    return row.adding(topic=topics[0], answers=row.text("target").split("|"))


def _facts() -> WorldReference:
    """The facts as they were published; whether they are in the data directory is looked at when they are wanted."""
    missing = missing_files([METAQA_FILE])
    path = data_directory() / METAQA_FILE if missing else data_file(METAQA_FILE, "MetaQA's knowledge base")
    return WorldReference(KIND, str(path), PUBLISHED)


METAQA = (MetaQa(1, "aee1128a33ad0a0b"), MetaQa(2, "69aec2c8f12b9932"), MetaQa(3, "2cd7606d52307fe3"))
"""The three data sets."""
