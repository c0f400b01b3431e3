"""A data set whose graphs and programs are read once, for all the structures that are found in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation

Made = TypeVar("Made")


class ReadOnce:
    """A data set, and what was made of it."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._made: dict[Callable[[Dataset], Any], Any] = {}

    def made(self, make: Callable[[Dataset], Made]) -> Made:
        """What `make` gives for the data set."""
        if make not in self._made:
            self._made[make] = make(self.dataset)
        made: Made = self._made[make]
        return made

    def graphs(self, make: Callable[[Dataset], list[Derivation]]) -> list[Derivation]:
        """The graphs that `make` gives for the data set."""
        return self.made(make)
