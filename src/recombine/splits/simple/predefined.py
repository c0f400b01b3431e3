"""The predefined split: a published split by its name in the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.datasets.catalogue import load_split
from recombine.errors import OptionError
from recombine.options import option
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    import numpy as np

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


@dataclass(frozen=True, kw_only=True)
class PredefinedSplitter(Splitter):
    """Gives the published split of this name, whole and in its published order."""

    name: str = option("", "the name of the published split, such as mcd1")
    by: ClassVar[str] = "predefined"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.name:
            raise OptionError("the method 'predefined' needs a name", "give --name, such as --name mcd1")
        if (self.train, self.dev, self.test) != (None, None, None):
            raise OptionError("a published split has the sizes it has", "leave out --train, --dev and --test")

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """The published lists; nothing is drawn."""
        del counts, generator
        split = load_split(dataset, self.name)
        return {part: split.positions(dataset, part) for part in split.parts}, {"split": self.name}

    def split(self, dataset: Dataset) -> Split:
        """The published split, with the signature it has under its id."""
        return load_split(dataset, self.name)
