"""Where the local structures of programs are: the nodes of each occurrence, and structures as small graphs.

Easiness knows which structure is the least easy one, but not its place. Here a structure is found by its name among
those of the same programs, and then looked for in one of them. Nodes are numbered as in `ProgramArrays`, the root `<s>`
being 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.pages.drawing.graph import Graph
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import read_arrays

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.languages.language import Language
    from recombine.records.example import Example
    from recombine.structures.local_structures import LocalStructures
    from recombine.structures.programs.program_arrays import ProgramArrays

PARENT, NEIGHBOUR = 1, 2
"""Kinds of edges, as the shape of a structure holds them."""


@dataclass(frozen=True)
class Structure:
    """Symbols in program order, and the kind of edge between every two of them (0: none)."""

    words: tuple[str, ...]
    kinds: dict[tuple[int, int], int]

    def pairs(self, kind: int) -> list[tuple[int, int]]:
        """The edges of one kind."""
        return [pair for pair, edge_kind in self.kinds.items() if edge_kind == kind]

    def graph(self) -> Graph:
        """Parents over children; neighbours have no line."""
        return Graph(self.words, tuple((parent, child, child) for parent, child in self.pairs(PARENT)))


@dataclass(frozen=True)
class ProgramStructures:
    """Programs with their structures.

    >>> from recombine.languages.covr import COVR
    >>> from recombine.records.example import Example
    >>> programs = [Example.of("", "filter ( black , filter ( black , find ( dog ) ) )")]
    >>> structures = ProgramStructures.of(programs, COVR, data="mine")
    >>> structures.graph(0).rules
    ('<s>', 'filter', 'black', 'filter', 'black', 'find', 'dog')
    >>> structures.occurrences(0, "filter > black"), structures.occurrences(0, "black ~ find")
    ([(1, 2), (3, 4)], [(4, 5)])
    """

    arrays: ProgramArrays
    structures: LocalStructures

    @classmethod
    def of(
        cls,
        examples: Sequence[Example],
        language: Language | None,
        *,
        data: str,
        structures: str = "local:2",
        tokenisation: str = "tree",
    ) -> ProgramStructures:
        """The programs of these examples; options as for `predict_difficulty`."""
        arrays = read_arrays(examples, language, data=data, tokenisation=tokenisation)
        return cls(arrays, local_structures(arrays, structures))

    @cached_property
    def columns(self) -> dict[str, int]:
        """The column of each structure by its name."""
        return {self.structures.name(column): column for column in range(self.structures.shape[1])}

    def structure(self, name: str) -> Structure:
        """The structure of a name, which some program here has."""
        from recombine.structures.programs.local_structure_kernels import PAIRS

        column = self.columns[name]
        words = tuple(self.arrays.symbols[int(label)] for label in self.structures.labels[column] if label >= 0)
        shape = int(self.structures.shapes[column])
        kinds = {pair: shape // 3**place % 3 for place, pair in enumerate(PAIRS) if pair[1] < len(words)}
        return Structure(words, kinds)

    def graph(self, program: int) -> Graph:
        """The tree of a program, under its root; slots count children from 1."""
        labels, parents, _ = self._nodes(program)
        seen = [0] * len(labels)
        edges = []
        for node, parent in enumerate(parents):
            if parent >= 0:
                seen[parent] += 1
                edges.append((parent, node, seen[parent]))
        return Graph(tuple(labels), tuple(edges))

    def occurrences(self, program: int, name: str) -> list[tuple[int, ...]]:
        """The nodes of each place where a program has a structure, in program order."""
        structure = self.structure(name)
        labels, parents, lefts = self._nodes(program)
        definition = self.structures.definition
        sequence = definition.kind == "ngram"

        def kind(earlier: int, later: int) -> int:
            if sequence:
                return NEIGHBOUR if later == earlier + 1 else 0
            if definition.parents and parents[later] == earlier:
                return PARENT
            return NEIGHBOUR if definition.siblings and lefts[later] == earlier else 0

        def extended(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            here = len(chosen)
            if here == len(structure.words):
                yield chosen
                return
            for node in range(chosen[-1] + 1 if chosen else 0, len(labels)):
                fits = labels[node] == structure.words[here]
                if fits and all(kind(n, node) == structure.kinds[place, here] for place, n in enumerate(chosen)):
                    yield from extended((*chosen, node))

        return list(extended(()))

    def _nodes(self, program: int) -> tuple[list[str], list[int], list[int]]:
        """Labels, parents and left neighbours of a program's nodes, numbered from its root."""
        start, end = int(self.arrays.starts[program]), int(self.arrays.starts[program + 1])
        links = [
            [int(node) - start if node >= 0 else -1 for node in links[start:end]]
            for links in (self.arrays.parents, self.arrays.lefts)
        ]
        return [self.arrays.symbols[int(label)] for label in self.arrays.labels[start:end]], links[0], links[1]
