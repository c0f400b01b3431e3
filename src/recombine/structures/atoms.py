"""Atoms: the rules that an example is made with (CFQ paper, §2), or the symbols or tokens of its program."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.records.derivation import Derivation, rule_kind
from recombine.structures.atom_definition import AtomDefinition, atom_notation
from recombine.structures.dataset_derivations import dataset_derivations
from recombine.structures.features import Features
from recombine.structures.kinds import StructureKind
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.program_tokens import token_graphs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.records.dataset import Dataset
    from recombine.structures.read_once import ReadOnce


def atoms(graphs: Sequence[Derivation], definition: AtomDefinition) -> Features:
    """The rules, or what else the nodes are, of each graph, by presence or count.

    >>> from recombine.records.derivation import Derivation
    >>> jump_twice = Derivation.tree(("twice", [("jump", [])]))
    >>> atoms([jump_twice], AtomDefinition()).row(0)
    {'jump': 1.0, 'twice': 1.0}
    """
    names = CHOICES[definition.rules]
    rows = []
    for graph in graphs:
        counts = Counter(names(graph))
        rows.append({rule: float(n) if definition.value == "counts" else 1.0 for rule, n in counts.items()})
    return Features.from_rows(rows)


def _with_arity(graph: Derivation) -> list[str]:
    """Symbols with their numbers of arguments."""
    arguments = Counter(parent for parent, _, _ in graph.edges)
    return [f"{symbol}/{arguments[node]}" for node, symbol in enumerate(graph.rules)]


def _of_kind(kind: str) -> Callable[[Derivation], list[str]]:
    return lambda graph: [rule for rule in graph.rules if rule_kind(rule) == kind]


CHOICES: dict[str, Callable[[Derivation], Sequence[str]]] = {
    "all": lambda graph: graph.rules,
    "grammar": _of_kind("grammar"),
    "interpretation": _of_kind("interpretation"),
    "arity": _with_arity,
}
"""What may stand after the colon of a definition, and the atoms that it leaves of a graph."""


def _kind(name: str, graphs: Callable[[Dataset], list[Derivation]], *choices: str) -> StructureKind:
    def extract(read: ReadOnce, definition: AtomDefinition) -> Features:
        return atoms(read.graphs(graphs), definition)

    return StructureKind(name, ("atoms",), atom_notation(name, ("all", *choices)), extract, graphs)


RULES = _kind("rules", dataset_derivations, "grammar", "interpretation")
SYMBOLS = _kind("symbols", program_graphs, "arity")
TOKENS = _kind("tokens", token_graphs)
