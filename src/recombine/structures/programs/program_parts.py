"""Parts of programs' trees as compounds: downward paths, and sub-trees cut at a depth.

Also parts of any graphs that a function can list one by one. Both are written as compounds are:
`select(1:.(2:name))`, a child with its argument position before it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.structures.compound_definition import CompoundDefinition, compound_notation
from recombine.structures.features import Features
from recombine.structures.kinds import StructureKind
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.tree_parts import paths, subtrees
from recombine.structures.programs.typed_programs import programs_as_counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.records.derivation import Derivation
    from recombine.structures.programs.distinct_programs import DistinctPrograms
    from recombine.structures.read_once import ReadOnce


def listed_parts(
    graphs: Sequence[Derivation], parts: Callable[[Derivation], Sequence[str]], definition: CompoundDefinition
) -> Features:
    """The parts of each graph that a function lists, by count or presence; equal graphs are looked at once."""
    known: dict[Derivation, dict[str, float]] = {}
    for graph in graphs:
        if graph not in known:
            counts = Counter(parts(graph))
            known[graph] = {name: float(n) if definition.value == "counts" else 1.0 for name, n in counts.items()}
    features = Features.from_rows([known[graph] for graph in graphs])
    return features if definition.top is None else features.keep_top(definition.top)


def _kind(name: str, parts: Callable[[DistinctPrograms, int, int, str], Features]) -> StructureKind:
    def extract(read: ReadOnce, definition: CompoundDefinition) -> Features:
        features = parts(programs_as_counted(read, definition), definition.low, definition.high, definition.value)
        return features if definition.top is None else features.keep_top(definition.top)

    return StructureKind(name, ("compounds",), compound_notation(name, typed=True), extract, program_graphs)


PATH = _kind("path", paths)
SUBTREE = _kind("subtree", subtrees)
