"""A data set whose graphs and programs are read once, for all the structures that are found in them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from recombine.structures.programs.distinct_programs import dataset_programs

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation
    from recombine.structures.programs.distinct_programs import DistinctPrograms


class ReadOnce:
    """A data set, and the graphs that were made of it."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._graphs: dict[Callable[[Dataset], list[Derivation]], list[Derivation]] = {}

    def graphs(self, make: Callable[[Dataset], list[Derivation]]) -> list[Derivation]:
        """What `make` gives for the data set."""
        if make not in self._graphs:
            self._graphs[make] = make(self.dataset)
        return self._graphs[make]

    @cached_property
    def programs(self) -> DistinctPrograms:
        """The programs of the targets, as flat trees."""
        return dataset_programs(self.dataset)
