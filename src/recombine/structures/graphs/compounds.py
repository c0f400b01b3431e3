"""Compounds: connected sub-graphs of the rule application graph (CFQ paper, §2.1 and L.4).

A compound's key holds its rules, its edges and their slots, and is the same in every example where the combination
occurs. Weights follow the paper: in one example, w(G) = max over occurrences g of (1 − max over super-graphs G' of g of
P(G'|G)), with G' running over all compounds of the definition. At the size limit a compound has no super-graph in the
set, so it weighs 1 wherever it occurs: a larger limit moves weight to larger compounds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import DerivationError
from recombine.structures.compound_definition import CompoundDefinition, compound_notation
from recombine.structures.dataset_derivations import dataset_derivations
from recombine.structures.features import Features
from recombine.structures.graphs.canonical import canonical_text
from recombine.structures.graphs.graph_arrays import GraphArrays
from recombine.structures.kinds import StructureKind
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.program_parts import listed_parts
from recombine.structures.programs.tree_parts import paths
from recombine.structures.programs.typed_programs import programs_as_counted
from recombine.structures.rule_choice import ALL, chosen_kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.records.derivation import Derivation
    from recombine.structures.programs.distinct_programs import DistinctPrograms
    from recombine.structures.read_once import ReadOnce

OCCURRENCE_LIMIT = 2_000_000
BLOCK = 1 << 22
"""The occurrences that are counted together."""


def compounds(derivations: Sequence[Derivation], definition: CompoundDefinition) -> Features:
    """The connected sub-graphs of each graph, as the definition says.

    >>> from recombine.records.derivation import Derivation
    >>> walk_and_walk = Derivation.tree(("and", [("walk", []), ("walk", [])]))
    >>> compounds([walk_and_walk], CompoundDefinition(2, 3)).row(0)
    {'and(1:walk)': 1.0, 'and(2:walk)': 1.0, 'and(1:walk, 2:walk)': 1.0}
    """
    if definition.sizes == (2, 2, 3, 0) and definition.value != "weighted":
        # Pairs of nodes are simply listed, for graphs of any size.
        return listed_parts(derivations, _pairs, definition)
    distinct: dict[Derivation, int] = {}
    which = np.array([distinct.setdefault(d, len(distinct)) for d in derivations], np.int64)
    graphs = list(distinct)
    rules = sorted({rule for graph in graphs for rule in graph.rules})
    return _connected(GraphArrays.of(graphs, rules), which, rules, definition)


def program_compounds(programs: DistinctPrograms, definition: CompoundDefinition) -> Features:
    """The connected parts of each program's tree, as the definition says."""
    if (definition.low, definition.high) == (2, 2) and definition.value != "weighted":
        # Pairs of nodes are paths of one edge, for trees of any size.
        features = paths(programs, 1, 1, definition.value)
        return features if definition.top is None else features.keep_top(definition.top)
    arrays, which = GraphArrays.of_programs(programs)
    return _connected(arrays, which, programs.names, definition)


def _connected(
    arrays: GraphArrays, which: NDArray[np.int64], rules: Sequence[str], definition: CompoundDefinition
) -> Features:
    """The connected sub-graphs of distinct graphs, with one row for each example."""
    from recombine.structures.graphs.subgraphs import enumerate_subgraphs, occurrence_weights

    arrays.refuse_large()
    weighted = definition.value == "weighted"
    kinds, masks, words, starts, codes, code_start, stopped = enumerate_subgraphs(
        arrays.node_start,
        arrays.labels,
        arrays.edge_start,
        arrays.edges,
        np.array(definition.sizes, np.int64),
        weighted,
        OCCURRENCE_LIMIT,
    )
    if stopped >= 0:
        size = int(np.diff(arrays.node_start)[stopped])
        raise DerivationError(
            f"a derivation of {size} rules has more than {OCCURRENCE_LIMIT:,} sub-graphs "
            f"under {definition.kind}:{definition.low}-{definition.high}",
            "use a smaller limit, such as dag:2-4",
        )
    keys, number = _interned(codes, code_start, rules)
    del codes, code_start
    names = [text for _, text in keys]
    kinds = number[kinds]
    weights = None
    if weighted:
        copies = np.bincount(which, minlength=len(starts) - 1).astype(np.int64)
        weights = occurrence_weights(starts, kinds, masks, words, copies, len(names))
    del masks
    features = replace(_assemble(kinds, starts, weights, which, names, definition.value), orders=keys)
    return features if definition.top is None else features.keep_top(definition.top)


def rule_compounds(derivations: Sequence[Derivation], definition: CompoundDefinition) -> Features:
    """The compounds of derivations over the rules that the definition chooses."""
    if definition.rules != ALL:
        kinds = chosen_kinds(definition.rules)
        derivations = [derivation.restricted(*kinds) for derivation in derivations]
    return compounds(derivations, definition)


def _of_derivations(read: ReadOnce, definition: CompoundDefinition) -> Features:
    return rule_compounds(read.graphs(dataset_derivations), definition)


def _of_programs(read: ReadOnce, definition: CompoundDefinition) -> Features:
    return program_compounds(programs_as_counted(read, definition), definition)


VALUES = ("counts", "presence", "weighted")
DAG = StructureKind(
    "dag",
    ("compounds",),
    compound_notation("dag", VALUES, of_rules=True, linear=True),
    _of_derivations,
    dataset_derivations,
)
LINE = StructureKind(
    "line", ("compounds",), compound_notation("line", VALUES, of_rules=True), _of_derivations, dataset_derivations
)
TREE = StructureKind(
    "tree", ("compounds",), compound_notation("tree", VALUES, typed=True), _of_programs, program_graphs
)


def _pairs(graph: Derivation) -> list[str]:
    """The sub-graphs of two nodes."""
    slots: dict[tuple[int, int], list[int]] = {}
    for parent, child, slot in graph.edges:
        slots.setdefault((parent, child), []).append(slot)
    return [
        canonical_text((graph.rules[parent], graph.rules[child]), [(0, 1, slot) for slot in between])
        for (parent, child), between in slots.items()
    ]


def _interned(
    codes: NDArray[np.int64], starts: NDArray[np.int64], rules: Sequence[str]
) -> tuple[list[tuple[int, str]], NDArray[np.int32]]:
    """Sizes and names in this order, and for each code the number of its name."""
    flat = codes.tolist()
    keys: list[tuple[int, str]] = []
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        size = flat[first]
        labels = [rules[label] for label in flat[first + 1 : first + 1 + size]]
        rest = flat[first + 1 + size : last]
        edges = list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))
        keys.append((size, canonical_text(labels, edges)))
    ordered = sorted(set(keys))
    place = {key: number for number, key in enumerate(ordered)}
    return ordered, np.array([place[key] for key in keys], np.int32)


def _assemble(
    kinds: NDArray[np.int32],
    starts: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    which: NDArray[np.int64],
    names: list[str],
    value: str,
) -> Features:
    """Rows of distinct graphs, some at a time, then one row per example."""
    graphs = len(starts) - 1
    indptr = np.zeros(graphs + 1, np.int64)
    all_columns: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    all_data: list[NDArray[np.float64]] = [np.zeros(0)]
    first = 0
    while first < graphs:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + BLOCK, "right")) - 1)
        here = slice(int(starts[first]), int(starts[last]))
        owner = np.repeat(np.arange(first, last, dtype=np.int64), np.diff(starts[first : last + 1]))
        keys, inverse, counts = np.unique(
            owner * max(len(names), 1) + kinds[here], return_inverse=True, return_counts=True
        )
        if weights is not None:
            data = np.zeros(len(keys))
            np.maximum.at(data, inverse, weights[here])
        else:
            data = counts.astype(np.float64) if value == "counts" else np.ones(len(keys))
        rows, columns = np.divmod(keys, max(len(names), 1))
        indptr[first + 1 : last + 1] = np.bincount(rows - first, minlength=last - first)
        all_columns.append(columns.astype(np.int32))
        all_data.append(data)
        first = last
    indptr = np.cumsum(indptr, dtype=np.int64)
    features = Features(indptr, np.concatenate(all_columns), np.concatenate(all_data), names)
    return features.taken(which)
