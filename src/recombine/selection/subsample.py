"""A part of a large pool in which rules are combined in as many ways as possible, even over levels (CFQ paper, K.3).

The level of an example is the number of grammar rules that made it, or what a tag says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError, RecordError
from recombine.records.derivation import rule_kind
from recombine.records.signature import Signature
from recombine.selection.selected import check_number
from recombine.selection.subsample_rows import entropy_of, subsample_rows
from recombine.structures.cached_features import cached_features
from recombine.structures.dataset_derivations import dataset_derivations
from recombine.structures.definition import Structures
from recombine.structures.joined_definition import check_one_kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset
    from recombine.selection.subsample_rows import SampledRows
    from recombine.structures.dataset_features import DatasetFeatures

SAMPLE_STRUCTURES = "atoms=rules,presence;compounds=dag:2-3,presence,rules=all"
"""The sub-graphs whose distribution is made even, where nothing else is said."""


@dataclass(frozen=True)
class Subsample:
    """What was taken of a pool, and how even the distribution of its structures is."""

    taken: SampledRows
    entropy: float
    """Of the compounds over what was taken, in nats."""
    pool_entropy: float
    """The same over the whole pool."""
    features: DatasetFeatures
    """The structures of the pool."""
    signature: Signature

    @property
    def rows(self) -> tuple[int, ...]:
        """The positions in the order they were taken."""
        return self.taken.rows

    @property
    def in_order(self) -> list[int]:
        """The same in the order of the pool."""
        return sorted(self.taken.rows)


def subsample(
    dataset: Dataset,
    number: int,
    *,
    structures: str | Structures | None = None,
    level: str | None = None,
    max_level: int | None = None,
    seed: int = 0,
) -> Subsample:
    """`number` examples of a pool; `level` is a tag with a whole number, where levels are not numbers of grammar rules.

    >>> from recombine.workbench import generate
    >>> pool = generate("scan", n=300, seed=1).dataset
    >>> made = subsample(pool, 40, structures="dag:2-3,presence")
    >>> len(made.rows), made.entropy > made.pool_entropy
    (40, True)
    """
    check_number(number, len(dataset))
    if max_level is not None and (isinstance(max_level, bool) or max_level < 1):
        raise OptionError(f"the highest level is {max_level}", "give a whole number of 1 or more")
    definition = structures if isinstance(structures, Structures) else Structures.parse(structures or SAMPLE_STRUCTURES)
    check_one_kind(definition.compounds, "a sample")
    levels = grammar_levels(dataset) if level is None else tag_levels(dataset, level)
    features = cached_features(dataset, definition)
    taken = subsample_rows(features.compounds, levels, number, max_level=max_level, seed=seed)
    signature = Signature.of(
        data=dataset, n=number, structures=features.structures, level=level or "grammar", max_level=max_level, seed=seed
    )
    return Subsample(
        taken,
        entropy_of(features.compounds, taken.rows),
        entropy_of(features.compounds, np.arange(len(dataset))),
        features,
        signature,
    )


def grammar_levels(dataset: Dataset) -> NDArray[np.int64]:
    """How many grammar rules made each example."""
    is_grammar: dict[str, bool] = {}
    levels = []
    for derivation in dataset_derivations(dataset):
        for rule in derivation.rules:
            if rule not in is_grammar:
                is_grammar[rule] = rule_kind(rule) == "grammar"
        levels.append(sum(map(is_grammar.__getitem__, derivation.rules)))
    return np.array(levels, np.int64)


def tag_levels(dataset: Dataset, tag: str) -> NDArray[np.int64]:
    """What a tag says of each example, which must be a whole number."""
    levels: list[int] = []
    for place, tags in enumerate(dataset.iter_mappings("tags")):
        level = tags.get(tag)
        if type(level) is not int:
            problem = f"its tag {tag} is {level!r}" if tag in tags else f"has no tag {tag}"
            raise RecordError(
                dataset.name, dataset.ids[place], f"{problem}, so it has no level", "name a tag of whole numbers"
            )
        levels.append(level)
    return np.array(levels, np.int64)
