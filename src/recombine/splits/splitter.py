"""The contract of a splitter: `split(dataset)` gives a split, `iter_indices(dataset)` scikit-learn's form of it.

Every random choice comes from one generator made from the seed, and parts list ids in the order of the data, so the
same seed gives the same bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from recombine.records.signature import Signature
from recombine.records.split import Split, sizes_text
from recombine.seeds import check_seed, make_generator
from recombine.splits.sizes import Size, Sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset


@dataclass(frozen=True, kw_only=True)
class Splitter(ABC):
    """Sizes and a seed, and a way to choose.

    Further fields made with `option` are the options of the method: flags of `recombine split`, keywords of
    `recombine.split`, keys of a study's `[[split]]` and rows of the table in the documentation.
    """

    train: Size = None
    dev: Size = None
    test: Size = None
    seed: int = 0

    by: ClassVar[str] = ""
    needs_features: ClassVar[bool] = False
    aims_at_divergence: ClassVar[bool] = False
    """Whether its splits are made to hold out compounds, so that one no harder than random is worth a warning."""
    revision: ClassVar[int] = 1
    """Which splits the method gives for the same wishes and seed: raised by one when a change makes it give others.

    Studies keep splits and results under keys that hold it, so a changed search is not taken for the old one, and a
    release that changes nothing orphans nothing. `tmcd` searches as `mcd` does, and inherits its revision.
    """

    def __post_init__(self) -> None:
        check_seed(self.seed)

    @classmethod
    def revision_of(cls, options: Mapping[str, object]) -> int:  # noqa: ARG003  # for methods where options decide
        """The revision of the splits with these options: a change that only some options see raises it for these."""
        return cls.revision

    @abstractmethod
    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Positions by part, and what else belongs in the signature."""

    def split(self, dataset: Dataset) -> Split:
        """A split of the data set."""
        sizes = Sizes(self.train, self.dev, self.test)
        rows, extra = self.choose(dataset, sizes.counts(len(dataset)), make_generator(self.seed))
        return self.assemble(dataset, rows, extra)

    def assemble(self, dataset: Dataset, rows: dict[str, list[int]], extra: dict[str, object]) -> Split:
        """The split of these positions, with its signature."""
        ids = dataset.ids
        parts = {name: tuple(ids[row] for row in positions) for name, positions in rows.items()}
        signature = Signature.of(data=dataset, by=self.by, **extra, parts=sizes_text(parts), seed=self.seed)
        return Split(parts, dataset.name, dataset.hash, signature, reading=dataset.reading)

    def notes(self, split: Split) -> tuple[str, ...]:  # noqa: ARG002  # for methods that have something to say
        """Sentences on how a split was made that its user should read."""
        return ()

    def iter_indices(self, dataset: Dataset) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """One pair of train and test positions, as scikit-learn's `split` yields them."""
        train, test = self.split(dataset).indices(dataset)
        yield np.array(train, np.int64), np.array(test, np.int64)
