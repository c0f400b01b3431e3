"""The easiness of a test program, given training programs (`local_structures` paper, §4.3), with its reason.

    easiness = min over the program's structures of (max over observed structures of their similarity)

So a program is as easy as its least easy structure. Everything lives on one matrix of structures for train and test
together: a training set is a list of its rows, and fitting marks the columns they hold. A program without structures
(one symbol, parents left out) is as easy as can be and counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.easiness.structure_similarity import Neighbours
from recombine.easiness.symbol_similarity import AVERAGES, SymbolSimilarity, symbol_similarity
from recombine.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.local_structures import LocalStructures

SIMILARITIES = (*AVERAGES, "none")
"""How symbols are compared; `none` gives every unobserved structure 0 (2-LS-NoSim)."""


@dataclass(frozen=True)
class Easiness:
    """The easiness of programs, and the columns behind it; -1 where there is none."""

    scores: NDArray[np.float64]
    hardest: NDArray[np.int64]
    """The least easy unobserved structure of each program; -1 where all were observed."""
    nearest: NDArray[np.int64]
    """The observed structure most similar to it; -1 where none is similar."""
    unobserved: NDArray[np.int64]
    """How many structures of each program were not observed."""

    def mean(self) -> float:
        """The easiness of a split: the mean over its test programs (§5.2)."""
        return float(np.mean(self.scores))


@dataclass(frozen=True)
class EasinessRule:
    """The decision rule over a matrix of structures; `fit` gives it a training set.

    >>> from recombine.structures.local_structures import local_structures
    >>> from recombine.structures.programs.program_arrays import program_arrays
    >>> from recombine.tree import Tree
    >>> texts = ["exists dog", "exists cat", "count dog", "count cat", "count cow"]
    >>> programs = program_arrays([Tree(f, (Tree(a),)) for f, a in map(str.split, texts)])
    >>> rule = EasinessRule(local_structures(programs, "local:2"))
    >>> rule.fit([0, 1, 2]).predict([3, 4]).scores.tolist()
    [0.75, 0.0]
    """

    structures: LocalStructures
    similarity: str = "contexts"

    def __post_init__(self) -> None:
        if self.similarity not in SIMILARITIES:
            raise UnknownNameError("similarity", self.similarity, SIMILARITIES)

    @cached_property
    def neighbours(self) -> Neighbours:
        """The groups of similar columns, made once."""
        return Neighbours.of(self.structures)

    def fit(self, train: Sequence[int] | NDArray[np.int64]) -> FittedEasiness:
        """What these programs show."""
        if not len(train):
            raise OptionError("the training set is empty, so nothing was observed", "give at least one program")
        observed = self.structures.observed(train)
        average = "contexts" if self.similarity == "none" else self.similarity
        return FittedEasiness(
            self,
            np.unique(np.asarray(train, np.int64)),
            observed,
            symbol_similarity(self.structures, observed, average=average),
        )


@dataclass(frozen=True)
class FittedEasiness:
    """A rule with its training set."""

    rule: EasinessRule
    train: NDArray[np.int64] = field(repr=False)
    observed: NDArray[np.bool_] = field(repr=False)
    symbols: SymbolSimilarity = field(repr=False)

    def similar(self, columns: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The easiness of structures, and the observed structure most similar to each (-1: none)."""
        from recombine.easiness.similarity_kernels import most_similar

        if self.rule.similarity == "none":
            seen = self.observed[columns]
            return seen.astype(np.float64), np.where(seen, columns, -1)
        near, labels = self.rule.neighbours, self.rule.structures.labels
        by_relation = self.symbols.average == "relations"
        scores_and_nearest: tuple[NDArray[np.float64], NDArray[np.int64]] = most_similar(
            columns, labels, near.groups, near.starts, near.members, self.observed, self.symbols.bits, by_relation
        )
        return scores_and_nearest

    def predict(self, test: Sequence[int] | NDArray[np.int64]) -> Easiness:
        """The easiness of these programs."""
        from recombine.easiness.similarity_kernels import least_easy

        structures, rows = self.rule.structures, np.asarray(test, np.int64)
        unseen = np.flatnonzero(structures.observed(rows) & ~self.observed)
        scores, nearest = np.ones(structures.shape[1]), np.full(structures.shape[1], -1, np.int64)
        scores[unseen], nearest[unseen] = self.similar(unseen)
        lowest, hardest, unobserved = least_easy(structures.indptr, structures.indices, rows, scores, self.observed)
        # The last place stands for no column, which is -1 in both.
        return Easiness(lowest, hardest, np.append(nearest, -1)[hardest], unobserved)
