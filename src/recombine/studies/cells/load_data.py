"""The data sets of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.datasets import catalogue
from recombine.datasets.generators import find_generator
from recombine.datasets.kept_with_files import kept_with_files
from recombine.datasets.parts.parts_generator import PartsGenerator
from recombine.languages.known import find_language
from recombine.records.skipping import skipping
from recombine.records.world import place_of
from recombine.structures.cached_features import cached_features
from recombine.structures.definition import Structures
from recombine.studies.cells.with_schemas import with_schemas

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.studies.file.study_file import DataTable


def load_data(table: DataTable, folder: Path) -> Dataset:
    """The data of a table; paths are relative to the folder of the study file."""
    world = None if table.world is None else place_of(table.world, folder)
    language = None if table.language is None else find_language(table.language, folder=folder)
    if table.generate is not None:
        dataset = catalogue.in_world(_generated(table, folder), world)
        if language is not None:
            dataset = replace(dataset, language=language)
    elif table.file is not None:
        with skipping(table.skip_unreadable):
            dataset = catalogue.load(
                folder / table.file, source=table.source, target=table.target, language=language, world=world
            )
        dataset = replace(dataset, path=table.file)  # as the study says it, from whatever folder the study is run
    else:
        dataset = catalogue.load(table.id or "", language=language, world=world)
    return dataset if table.structures is None else replace(dataset, structures=table.structures)


def _generated(table: DataTable, folder: Path) -> Dataset:
    """What the generator of a table makes; what takes long is kept for the next command."""
    generator = find_generator(table.generate or "", folder=folder, **table.options)
    if isinstance(generator, PartsGenerator):
        return generator.kept_dataset(table.n, seed=table.seed)
    if generator.has_files:
        return kept_with_files(generator, table.n, seed=table.seed)
    return generator.generate(table.n, seed=table.seed).dataset()


class StudyData(Mapping[str, "Dataset"]):
    """The data sets of a study by their labels, each made or read when it is first asked for."""

    def __init__(self, tables: Sequence[DataTable], folder: Path) -> None:
        self._tables, self._folder = {table.label: table for table in tables}, folder
        self._plain: dict[str, Dataset] = {}
        self._made: dict[str, Dataset] = {}

    def plain(self, label: str) -> Dataset:
        """The data before schemas are appended to it."""
        if label not in self._plain:
            self._plain[label] = load_data(self._tables[label], self._folder)
        return self._plain[label]

    def __getitem__(self, label: str) -> Dataset:
        if label not in self._made:
            self._made[label] = with_schemas(self._tables[label], self.plain(label), self._folder)
        return self._made[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


class LazyFeatures:
    """The atoms and compounds of a data set, made when they are first wanted; none where it has no structures."""

    def __init__(self, dataset: Dataset, *, measure: bool = True) -> None:
        self._dataset, self.measure = dataset, measure
        self._made: DatasetFeatures | None = None

    def get(self, *, needed: bool = False) -> DatasetFeatures | None:
        """The features; with `needed`, also where the study does not want divergences measured."""
        if not self._dataset.structures or not (self.measure or needed):
            return None
        if self._made is None:
            self._made = cached_features(self._dataset, Structures.parse(self._dataset.structures))
        return self._made

    def of(self, definition: str) -> DatasetFeatures:
        """The features under a definition of a split's own."""
        return cached_features(self._dataset, Structures.parse(definition))
