"""The nodes of all distinct programs as arrays, and which programs have nodes that an atom asks for.

A part of an atom is a set of labels. A label is known by its whole text, by what stands before a bracket
(`query_attr` of `query_attr[color]`), and, where it is in quotes, by what is inside them. Every question is asked of
each distinct program once.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.measures.properties.predicate import ANYTHING, NUMBER
from recombine.structures.programs.distinct_programs import dataset_programs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.measures.properties.predicate import Atom, Part
    from recombine.records.dataset import Dataset
    from recombine.structures.programs.distinct_programs import DistinctPrograms

    Mask = NDArray[np.bool_]

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_INDEXED = re.compile(r"([^\s\[\]]+)\[.*\]", re.DOTALL)
_QUOTED = re.compile(r"""(["'])(.*)\1""", re.DOTALL)


def label_names(label: str) -> set[str]:
    """What a label is known by.

    >>> sorted(label_names("query_attr[color]")), sorted(label_names("'texas'"))
    (['query_attr', 'query_attr[color]'], ["'texas'", 'texas'])
    """
    indexed, in_quotes = _INDEXED.fullmatch(label), _QUOTED.fullmatch(label)
    return {label, *([indexed[1]] if indexed else []), *([in_quotes[2]] if in_quotes else [])}


def is_number(label: str) -> bool:
    """Whether a label is a number."""
    return _NUMBER.fullmatch(label) is not None


class ProgramNodes:
    """The programs of a data set.

    >>> from recombine.measures.properties.predicate import Atom, parse_predicate
    >>> from recombine.workbench import load
    >>> data = load([("a", "f ( g ( x ) , 1 )"), ("b", "g ( x )")], language="functional")
    >>> [ProgramNodes(data).holds(parse_predicate(text)).tolist() for text in ("under:f:x", "place:f:2:#", "op:g")]
    [[True, False], [True, False], [True, True]]
    """

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def holds(self, atom: Atom) -> Mask:
        """Which examples have a program that has what an atom of programs asks for."""
        given = atom.parts[1:]
        if atom.name in ("op", "arg"):
            inner = self.programs.trees.children > 0
            nodes = self._nodes(given[0]) & (inner if atom.name == "op" else ~inner)
        elif atom.name == "under":
            nodes = self._nodes(given[1]) & self._below(self._nodes(given[0]))
        else:
            nodes = self._nodes(given[-1]) & self._of_parents(self._nodes(given[0]))
            if atom.name == "place":
                nodes &= np.isin(self._links[1], [int(word.text) for word in given[1].words])
        return self._examples(nodes)

    @cached_property
    def programs(self) -> DistinctPrograms:
        """The distinct programs."""
        return dataset_programs(self._dataset)

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The number of each node's program."""
        return self.programs.trees.owners()

    @cached_property
    def _links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.programs.trees.linked()

    def _nodes(self, part: Part) -> Mask:
        """The nodes whose label is one of a part."""
        trees = self.programs.trees
        names = {word.text for word in part.words if not word.sign}
        signs = {word.sign for word in part.words}
        known = [
            ANYTHING in signs or (NUMBER in signs and is_number(text)) or not names.isdisjoint(label_names(text))
            for text in trees.texts
        ]
        mask: Mask = np.array(known, np.bool_)[trees.labels] != part.but
        return mask

    def _of_parents(self, nodes: Mask) -> Mask:
        """The nodes whose parent is one of some."""
        parents = self._links[0]
        return np.append(nodes, False)[parents]  # the parent of a root is -1, the last

    def _below(self, nodes: Mask) -> Mask:
        """The nodes somewhere below one of some: of these, then of those found, until no further one is."""
        found = self._of_parents(nodes)
        while True:
            more = found | self._of_parents(found)
            if np.array_equal(more, found):
                return found
            found = more

    def _examples(self, nodes: Mask) -> Mask:
        """The examples whose program has one of some nodes."""
        programs = np.zeros(len(self.programs.trees), np.bool_)
        programs[self.owners[nodes]] = True
        return programs[self.programs.which]
