"""Everything measurable about a split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.datasets import catalogue
from recombine.measures.measure_split import measure_split
from recombine.structures.definition import ATOM_ALPHA
from recombine.workbench.features import find_features
from recombine.workbench.load import load_for

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.split import Split
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.workbench.features import DefinitionLike
    from recombine.workbench.load import Data


def measure(
    data: Data,
    split: str | Path | Split,
    *,
    structures: DefinitionLike | DatasetFeatures = None,
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float | None = None,
    against: str = "test",
) -> dict[str, Any]:
    """Everything measurable about a split: divergences, coverage, ratios, duplicates, and the signature."""
    dataset = load_for(data, [split])
    loaded = catalogue.load_split(dataset, split)
    return measure_split(
        dataset,
        loaded,
        features=find_features(dataset, structures),
        atom_alpha=atom_alpha,
        compound_alpha=compound_alpha,
        against=against,
    )
