"""Features of programs made one by one in Python, the plain way: what the array path must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.structures.atom_definition import AtomDefinition
from recombine.structures.compound_definition import CompoundDefinition
from recombine.structures.definition import Structures
from recombine.structures.features import Features
from recombine.structures.graphs.compounds import compounds
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.program_parts import listed_parts
from recombine.structures.programs.program_tokens import program_tokens


def listed_features(dataset: Dataset, definition: str) -> tuple[Features, Features]:
    """The atoms and the compounds of the programs of a data set."""
    structures = Structures.parse(definition)
    assert isinstance(structures.atoms, AtomDefinition)
    assert isinstance(structures.compounds, CompoundDefinition)
    graphs = program_graphs(dataset)
    return _atoms(dataset, graphs, structures.atoms), _compounds(graphs, structures.compounds)


def _atoms(dataset: Dataset, graphs: Sequence[Derivation], definition: AtomDefinition) -> Features:
    if definition.kind == "tokens":
        names = [program_tokens(example.target) for example in dataset]
    elif definition.rules == "arity":
        names = [_with_arity(graph) for graph in graphs]
    else:
        names = [list(graph.rules) for graph in graphs]
    counts = [Counter(row) for row in names]
    return Features.from_rows(
        [{name: float(n) if definition.value == "counts" else 1.0 for name, n in row.items()} for row in counts]
    )


def _compounds(graphs: Sequence[Derivation], definition: CompoundDefinition) -> Features:
    if definition.kind == "tree":
        return compounds(graphs, definition)
    parts = {"path": paths, "subtree": subtrees}[definition.kind]
    return listed_parts(graphs, lambda graph: parts(graph, definition.low, definition.high), definition)


def _with_arity(graph: Derivation) -> list[str]:
    """Symbols with their numbers of arguments."""
    arguments = Counter(parent for parent, _, _ in graph.edges)
    return [f"{symbol}/{arguments[node]}" for node, symbol in enumerate(graph.rules)]


def paths(tree: Derivation, low: int, high: int) -> list[str]:
    """The downward paths with low to high edges.

    >>> from recombine.records.derivation import Derivation
    >>> paths(Derivation.tree(("largest", [("city", [("loc_2", [])])])), 1, 2)
    ['city(1:loc_2)', 'largest(1:city)', 'largest(1:city(1:loc_2))']
    """
    children = _children(tree)
    texts: list[str] = []
    below: list[list[list[str]]] = [[] for _ in tree.rules]  # by node and number of edges, the paths that start there
    for node in reversed(range(len(tree.rules))):
        below[node] = [[tree.rules[node]]]
        for edges in range(1, high + 1):
            longer = [
                f"{tree.rules[node]}({slot}:{path})"
                for slot, child in children[node]
                for path in (below[child][edges - 1] if len(below[child]) >= edges else ())
            ]
            if not longer:
                break
            below[node].append(longer)
            texts.extend(longer if edges >= low else ())
    return texts


def subtrees(tree: Derivation, low: int, high: int) -> list[str]:
    """Each node with everything below it down to a depth, for each depth from low to high that it reaches.

    >>> from recombine.records.derivation import Derivation
    >>> subtrees(Derivation.tree(("largest", [("city", [("loc_2", [])])])), 1, 2)
    ['city(1:loc_2)', 'largest(1:city)', 'largest(1:city(1:loc_2))']
    """
    children = _children(tree)
    texts: list[str] = []
    cut: list[list[str]] = [[] for _ in tree.rules]  # by node and depth; the last one is the whole
    for node in reversed(range(len(tree.rules))):
        cut[node] = [tree.rules[node]]
        reach = max((len(cut[child]) for _, child in children[node]), default=0)
        for depth in range(1, min(high, reach) + 1):
            inner = (f"{slot}:{cut[child][min(depth, len(cut[child])) - 1]}" for slot, child in children[node])
            cut[node].append(f"{tree.rules[node]}({', '.join(inner)})")
            texts.extend(cut[node][-1:] if depth >= low else ())
    return texts


def _children(tree: Derivation) -> list[list[tuple[int, int]]]:
    """Argument positions and children of each node; a parent is numbered before its children."""
    children: list[list[tuple[int, int]]] = [[] for _ in tree.rules]
    for parent, child, slot in sorted(tree.edges, key=lambda edge: (edge[0], edge[2])):
        children[parent].append((slot, child))
    return children
