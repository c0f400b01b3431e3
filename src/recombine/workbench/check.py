"""Whether a split is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.datasets import catalogue
from recombine.measures.check_split import check_split
from recombine.structures.dataset_features import extract_atoms
from recombine.structures.definition import Structures
from recombine.workbench.load import load_for

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.records.split import Split
    from recombine.workbench.load import Data


def check(data: Data, split: str | Path | Split, *, sizes: Mapping[str, int] | None = None) -> dict[str, Any]:
    """What is wrong with a split (`problems`), what could not be checked (`not_checked`), and what is worth knowing."""
    dataset = load_for(data, [split])
    loaded = catalogue.load_split(dataset, split, verify=False)
    atoms = None
    if dataset.structures:
        atoms = extract_atoms(dataset, Structures.parse(dataset.structures).atoms)
    return check_split(dataset, loaded, atoms=atoms, sizes=dict(sizes or {}))
