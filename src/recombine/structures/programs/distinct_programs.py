"""The distinct programs of many examples as flat trees, and which of them each example has.

Every language is read on this one path: quickly where `quick_programs` knows how, else by the language's own parser,
each distinct text once. A program that cannot be read is an error with its record.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import DerivationError, ProgramError
from recombine.languages.suggest_language import suggest_language
from recombine.records.chosen_examples import texts_of
from recombine.structures.programs.flat_trees import FlatTrees
from recombine.structures.programs.program_graphs import unambiguous_label
from recombine.structures.programs.unread_programs import unread_programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.tree import Tree


@dataclass(frozen=True)
class DistinctPrograms:
    """The trees of distinct programs, in the order of their first examples, and the number of each example's.

    >>> from recombine.tree import Tree
    >>> programs = DistinctPrograms(FlatTrees.of([Tree("f", (Tree("a"),)), Tree("a")]), np.array([0, 1, 0]))
    >>> programs.names, programs.labels.tolist()
    (('a', 'f'), [1, 0, 0])
    """

    trees: FlatTrees
    which: NDArray[np.int64]

    def block(self, first: int, last: int) -> DistinctPrograms:
        """Some of the distinct programs, each as if it were that of one example."""
        trees = self.trees.cut(first, last)
        return DistinctPrograms(trees, np.arange(len(trees)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The symbols of all programs as the names of compounds write them, in their order."""
        return tuple(sorted(set(self._texts)))

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """The symbol of every node, by its place among the names."""
        place = {name: number for number, name in enumerate(self.names)}
        return np.array([place[text] for text in self._texts], np.int64)[self.trees.labels]

    @cached_property
    def _texts(self) -> list[str]:
        return [unambiguous_label(text) for text in self.trees.texts]


def distinct_programs(examples: Sequence[Example], language: Language | None, *, data: str) -> DistinctPrograms:
    """The programs of the targets of examples; `data` names their data set in errors."""
    from recombine.structures.programs.quick_programs import quick_read

    place: dict[str, int] = {}
    which = np.array([place.setdefault(target, len(place)) for target in texts_of(examples, "target")], np.int64)
    firsts = np.full(len(place), -1, np.int64)
    firsts[which[::-1]] = np.arange(len(which))[::-1]
    quick = None if language is None else quick_read(list(place), language)
    if quick is None:
        parsed = parse_programs((examples[first] for first in firsts.tolist()), language, data=data, among=examples)
        return DistinctPrograms(FlatTrees.of(parsed), which)
    trees, read = quick
    unread = np.flatnonzero(~read)
    if len(unread):
        parsed = parse_programs(
            (examples[first] for first in firsts[unread].tolist()), language, data=data, among=examples
        )
        order = np.arange(len(place))
        order[unread] = len(trees) + np.arange(len(unread))
        trees = trees.joined(FlatTrees.of(parsed)).taken(order)
    return DistinctPrograms(trees, which)


def dataset_programs(dataset: Dataset) -> DistinctPrograms:
    """The programs of all targets of a data set."""
    return distinct_programs(dataset.part(range(len(dataset))), dataset.language, data=dataset.name)


def parse_programs(
    examples: Iterable[Example], language: Language | None, *, data: str, among: Sequence[Example] = ()
) -> list[Tree]:
    """The trees of the targets, each distinct program parsed once; `data` names their data set in errors.

    `among` are all examples of the data set, where these are the first of each program: an error counts all.
    """
    if language is None:
        targets = (example.target for example in examples)
        raise DerivationError(f"the language of {data}'s targets is not known", suggest_language(targets))
    known: dict[str, Tree] = {}
    trees: list[Tree] = []
    for example in examples:
        tree = known.get(example.target)
        if tree is None:
            try:
                tree = known[example.target] = language.parse(example.target)
            except ProgramError:
                raise unread_programs(among or [example], language, data) from None
        trees.append(tree)
    return trees
