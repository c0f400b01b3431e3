"""Local structures: small connected parts of a program's graph (`local_structures` paper, §4.1 and Appendix C).

The graph of a program is its tree under a root `<s>`, with edges from parents to children and between consecutive
siblings. The local structures of order 2 are its edges; order 3 adds chains of three, three consecutive siblings, and a
parent with two consecutive children; order 4 adds chains of four, four consecutive siblings, a grandparent and a parent
with two consecutive children, and a parent with three. An order includes the smaller ones. Definitions are names:

    local:2              the paper's structures of order 2
    local:2,no-siblings  without sibling edges (2-LS-NoSib); `no-parents` without parent–child edges (2-LS-NoPC)
    connected:3          all connected sub-graphs of two or three nodes
    ngram:2              consecutive symbols of the program, brackets and commas left out, after the root

A structure of several nodes keeps their order in the program, but not argument positions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import orjson

from recombine.structures.definition import Structures, local_definition
from recombine.structures.features import Features
from recombine.structures.kinds import StructureKind
from recombine.structures.local_definition import LocalDefinition, local_notation
from recombine.structures.programs.distinct_programs import dataset_programs
from recombine.structures.programs.program_arrays import arrays_of
from recombine.structures.programs.program_graphs import program_graphs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.programs.program_arrays import ProgramArrays
    from recombine.structures.read_once import ReadOnce

_AMBIGUOUS = re.compile(r'(?:^|\s)[>~](?:$|\s)|[{};"]|^\(|[^(]\)$|^$')


@dataclass(frozen=True)
class LocalStructures:
    """The structures of many programs: one compressed row per program, and what each column is.

    Columns ascend by size, shape and symbols; a row holds each of its columns once, with the number of occurrences.
    """

    definition: LocalDefinition
    tokenisation: str
    symbols: tuple[str, ...]
    shapes: NDArray[np.int32]
    """The shape of each column; see `local_structure_kernels`."""
    labels: NDArray[np.int32]
    """The symbols of each column, in program order, with -1 after the last: columns × 4."""
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    counts: NDArray[np.int32] = field(repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Programs and structures."""
        return len(self.indptr) - 1, len(self.shapes)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of nodes of each column."""
        sizes: NDArray[np.int64] = (self.labels >= 0).sum(axis=1, dtype=np.int64)
        return sizes

    def name(self, column: int) -> str:
        """A structure in words: `or > exists`, `black ~ find`, `filter > (black ~ find)`."""
        words = [self.symbols[int(label)] for label in self.labels[column] if label >= 0]
        return structure_text(int(self.shapes[column]), words, sequence=self.definition.kind == "ngram")

    def row(self, program: int) -> NDArray[np.int32]:
        """The columns of one program."""
        return self.indices[int(self.indptr[program]) : int(self.indptr[program + 1])]

    def observed(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which columns occur in these programs."""
        from recombine.structures.programs.local_structure_kernels import mark_columns

        return mark_columns(self.indptr, self.indices, np.asarray(rows, np.int64), len(self.shapes))  # type: ignore[no-any-return]

    @cached_property
    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The same matrix by columns: where each begins, and the programs that hold it, in ascending order."""
        from recombine.structures.programs.local_structure_kernels import transpose

        starts, programs, _ = transpose(self.indptr, self.indices, self.counts, len(self.shapes))
        return starts, programs

    def programs_with(self, column: int) -> NDArray[np.int32]:
        """The programs that hold a structure, in ascending order."""
        starts, programs = self.columns
        return programs[int(starts[column]) : int(starts[column + 1])]

    def features(self) -> Features:
        """The same as named counts, for measures and splitters."""
        names = [self.name(column) for column in range(len(self.shapes))]
        orders = [
            (shape, *(self.symbols[label] for label in labels if label >= 0))
            for shape, labels in zip(self.shapes.tolist(), self.labels.tolist(), strict=True)
        ]
        return Features(self.indptr, self.indices, self.counts.astype(np.float64), names, orders)


def local_structures(
    arrays: ProgramArrays, definition: Structures | LocalDefinition | str = "local:2"
) -> LocalStructures:
    """The structures of every program.

    >>> from recombine.structures.programs.program_arrays import program_arrays
    >>> from recombine.tree import Tree
    >>> programs = program_arrays([Tree("filter", (Tree("black"), Tree("find", (Tree("dog"),))))])
    >>> structures = local_structures(programs, "local:2")
    >>> [structures.name(column) for column in structures.row(0)]
    ['<s> > filter', 'filter > black', 'filter > find', 'find > dog', 'black ~ find']
    """
    from recombine.structures.programs.local_structure_kernels import collect_structures, transpose

    if not isinstance(definition, LocalDefinition):
        definition = local_definition(definition)
    indptr, indices, counts, rows = collect_structures(
        arrays.starts,
        arrays.labels,
        arrays.parents,
        arrays.lefts,
        definition.order,
        definition.parents,
        definition.siblings,
        definition.kind == "connected",
        definition.kind == "ngram",
    )
    # Shapes of more nodes have larger numbers, so this is by size, then shape, then symbols.
    order = np.lexsort((rows[:, 4], rows[:, 3], rows[:, 2], rows[:, 1], rows[:, 0]))
    number = np.empty(len(rows), np.int32)
    number[order] = np.arange(len(rows), dtype=np.int32)
    # Transposed twice, the columns of every row ascend.
    programs, width = len(arrays), len(rows)
    indptr, indices, counts = transpose(*transpose(indptr, number[indices], counts, width), programs)
    rows = rows[order]
    return LocalStructures(
        definition, arrays.tokenisation, arrays.symbols, rows[:, 0].copy(), rows[:, 1:].copy(), indptr, indices, counts
    )


def structure_text(shape: int, words: Sequence[str], *, sequence: bool = False) -> str:
    """A structure in words; one that the paper does not have lists its nodes and edges.

    >>> structure_text(22, ["filter", "black", "find"])
    'filter > (black ~ find)'
    >>> structure_text(4, ["or", "all", "exists"])
    '{or; all; exists: 0>1, 0>2}'
    """
    from recombine.structures.programs.local_structure_kernels import GRANDPARENT_2, PAIRS, PARENT_2, PARENT_3

    quoted = [orjson.dumps(word).decode() if _AMBIGUOUS.search(word) else word for word in words]
    digits = {pair: shape // 3**place % 3 for place, pair in enumerate(PAIRS) if pair[1] < len(words)}
    if all(digit == (1 if right - left == 1 else 0) for (left, right), digit in digits.items()):
        return " > ".join(quoted)
    if all(digit == (2 if right - left == 1 else 0) for (left, right), digit in digits.items()):
        return (" " if sequence else " ~ ").join(quoted)
    if shape in (PARENT_2, PARENT_3):
        return f"{quoted[0]} > ({' ~ '.join(quoted[1:])})"
    if shape == GRANDPARENT_2:
        return f"{quoted[0]} > {quoted[1]} > ({' ~ '.join(quoted[2:])})"
    edges = ", ".join(f"{left}{' >~'[digit]}{right}" for (left, right), digit in digits.items() if digit)
    return f"{{{'; '.join(quoted)}: {edges}}}"


def _as_compounds(read: ReadOnce, definition: LocalDefinition) -> Features:
    """The local structures of all targets, counted."""
    return local_structures(arrays_of(read.made(dataset_programs)), definition).features()


def _kind(name: str) -> StructureKind:
    roles = ("compounds", "local")
    return StructureKind(name, roles, local_notation(name), _as_compounds, program_graphs, "symbols,presence")


LOCAL = _kind("local")
CONNECTED = _kind("connected")
NGRAM = _kind("ngram")
