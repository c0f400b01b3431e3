"""A split of data, measured."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.errors import InfeasibleError
from recombine.measures.measure_split import measure_split
from recombine.splits.methods import make_splitter
from recombine.splits.sizes import Sizes
from recombine.workbench.features import find_features
from recombine.workbench.load import load

if TYPE_CHECKING:
    from recombine.records.split import Split
    from recombine.splits.sizes import Size
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.workbench.features import DefinitionLike
    from recombine.workbench.load import Data


def split(
    data: Data,
    *,
    by: str = "random",
    train: Size = None,
    dev: Size = None,
    test: Size = None,
    seed: int = 0,
    structures: DefinitionLike | DatasetFeatures = None,
    **options: object,
) -> Split:
    """Split a data set and measure the split; without derivations there are no divergences among the values.

    >>> s = split("scan", by="length:target", max_length=22, train=8365, test=1045, seed=1)
    >>> round(s.measured["compound_divergence"], 2)
    0.43
    """
    dataset = load(data)
    splitter = make_splitter(by, train=train, dev=dev, test=test, seed=seed, **options)
    Sizes(splitter.train, splitter.dev, splitter.test).counts(len(dataset))  # a wrong size fails before the long work
    dataset_features = find_features(dataset, structures)
    if splitter.needs_features and dataset_features is not None:
        splitter = replace(splitter, features=dataset_features, structures=str(dataset_features.structures))  # type: ignore[call-arg]
    try:
        made = splitter.split(dataset)
    except InfeasibleError as error:
        if error.best is not None:
            error.best = error.best.with_measured(measure_split(dataset, error.best, features=dataset_features))
        raise
    return made.with_measured(measure_split(dataset, made, features=dataset_features))
