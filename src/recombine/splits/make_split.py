"""One split of a data set, made and measured: what the verb `split` and studies share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InfeasibleError
from recombine.measures.measure_split import measure_split
from recombine.splits.made_to_be_hard import made_to_be_hard
from recombine.splits.sizes import Sizes

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.splits.splitter import Splitter
    from recombine.structures.dataset_features import DatasetFeatures


@dataclass(frozen=True)
class MadeSplit:
    """A split, and the constraint that it misses, where the best that was found is kept all the same."""

    split: Split
    missed: str | None = None
    notes: tuple[str, ...] = ()
    """What is worth knowing about how it was made."""


def check_sizes(dataset: Dataset, splitter: Splitter) -> None:
    """Refuse sizes that the data cannot give, before the long work."""
    Sizes(splitter.train, splitter.dev, splitter.test).counts(len(dataset))


def make_split(
    dataset: Dataset,
    splitter: Splitter,
    features: Callable[[], DatasetFeatures | None],
    *,
    best_effort: bool = False,
) -> MadeSplit:
    """The split that a splitter makes of the data.

    `features` gives the atoms and compounds of the data, and is asked only by methods that search by them. With
    `best_effort`, the best split found is given where a constraint cannot be met, if there is one.
    """
    check_sizes(dataset, splitter)
    if splitter.needs_features:
        made = features()
        if made is not None:
            searched: dict[str, Any] = {"features": made, "structures": str(made.structures)}
            splitter = replace(splitter, **searched)
    try:
        split = splitter.split(dataset)
        return MadeSplit(split, notes=splitter.notes(split))
    except InfeasibleError as error:
        if not best_effort or error.best is None:
            raise
        return MadeSplit(error.best, error.problem, splitter.notes(error.best))


def with_measures(split: Split, dataset: Dataset, features: DatasetFeatures | None, *, against: str = "test") -> Split:
    """The split with all that is measured on it, beside what its method has measured while it made it."""
    measured = measure_split(
        dataset, split, features=features, against=against, made_to_be_hard=lambda: made_to_be_hard(split.signature)
    )
    return split.with_measured({**measured, **split.measured})
