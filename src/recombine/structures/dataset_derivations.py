"""The rule application graphs of a whole data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation


def dataset_derivations(dataset: Dataset) -> list[Derivation]:
    """The derivations of all examples, each of which must have one."""
    graphs = []
    for example in dataset:
        if example.derivation is None:
            raise DerivationError(
                f"the example {example.id} of {dataset.name} has no derivation, so it has no compounds",
                "use data made by `recombine generate`, or name the language of the targets with --language",
            )
        graphs.append(example.derivation)
    return graphs
