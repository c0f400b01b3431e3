"""GeoQuery: questions about US geography with FunQL programs, entities as placeholders (NQG paper, App. B.2).

880 lines, of which 575 are distinct pairs; a repeated pair has the id of the first with an occurrence number. The
published splits are lists of line numbers.

Its world is GeoQuery's facts. The context of an example is the entity of each placeholder (`entities`), from the
original corpus, where that is in the data directory: its examples are in the order of the lines, and each is checked to
be the original of its line. Without the corpus there are no contexts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from recombine.data_directory import data_directory, data_file, missing_files, published_splits
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import read_rows
from recombine.datasets.published.geoquery_corpus import FILE as CORPUS
from recombine.datasets.published.geoquery_corpus import read_geoquery_corpus
from recombine.errors import InputFileError, RecordError
from recombine.kb.geoquery import geobase
from recombine.kb.geoquery.geoquery_world import KIND, PUBLISHED
from recombine.languages.funql import FUNQL
from recombine.languages.funql_rewrite import rewrite_funql
from recombine.records.example import frozen_context
from recombine.records.world import WorldReference

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example, FrozenMapping

NAME = "geoquery/funql"
DESCRIPTION = "questions about US geography and FunQL programs"
HASH = "cef7c541a430e0ae"
FILES = ("geoquery/geo_dataset.tsv",)
ENTITIES = "entities"
"""The field of a context that holds the entities of placeholders."""


def load() -> Dataset:
    """The data set, read from the data directory."""
    rows = read_rows(data_file(FILES[0], NAME), columns=("source", "target"))
    dataset = dataset_of_rows(rows, name=NAME, language=FUNQL)
    if not missing_files([CORPUS]):
        dataset = dataset.with_examples(_with_entities(dataset))
    return replace(dataset, world=_facts(), world_is_implied=True)


def _facts() -> WorldReference:
    """The facts as they were published; whether they are in the data directory is looked at when they are wanted."""
    missing = missing_files([geobase.FILE])
    path = data_directory() / geobase.FILE if missing else data_file(geobase.FILE, NAME)
    return WorldReference(KIND, str(path), PUBLISHED)


def _with_entities(dataset: Dataset) -> Iterator[Example]:
    """The examples with the entities of their placeholders."""
    path = data_file(CORPUS, NAME)
    state = path.stat()
    originals = _originals(path, state.st_mtime_ns, state.st_size)
    if len(originals) != len(dataset):
        problem = f"has {len(originals)} examples for the {len(dataset)} lines of {FILES[0]}"
        raise InputFileError(f"{path}: {problem}", "use the published files")
    for (key, program, context), example in zip(originals, dataset, strict=True):
        if program != example.target:
            problem = f"its program is not the original of line {example.tags['line']} of {FILES[0]}"
            raise RecordError(path, f"example {key!r}", problem, "use the published files")
        yield replace(example, context=context)


@lru_cache(maxsize=1)
def _originals(path: Path, changed: int, size: int) -> tuple[tuple[str, str, FrozenMapping], ...]:
    """The id, rewritten program and context of each example of the corpus; read again when the file changes."""
    del changed, size
    corpus = read_geoquery_corpus(path)
    rewritten = {program: rewrite_funql(program) for program in dict.fromkeys(each.program for each in corpus)}
    made = {program: (str(one), frozen_context({ENTITIES: one.entities})) for program, one in rewritten.items()}
    return tuple((example.id, *made[example.program]) for example in corpus)


def split_files() -> dict[str, Path]:
    """The published splits that are on this machine, by name."""
    return published_splits("geoquery")


def line_order(dataset: Dataset) -> list[str]:
    """The ids by line number: the order of the file."""
    return [example.id for example in dataset]
