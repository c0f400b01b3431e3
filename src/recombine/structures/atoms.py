"""Atoms: the rules that an example is made with (CFQ paper, §2), or the symbols or tokens of its program."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.records.derivation import rule_kind
from recombine.structures.atom_definition import AtomDefinition, atom_notation
from recombine.structures.dataset_derivations import dataset_derivations
from recombine.structures.features import Features
from recombine.structures.kinds import StructureKind
from recombine.structures.programs.distinct_programs import dataset_programs
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.program_tokens import tokens
from recombine.structures.programs.tree_parts import symbols, symbols_with_arity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.records.derivation import Derivation
    from recombine.structures.read_once import ReadOnce


def atoms(graphs: Sequence[Derivation], definition: AtomDefinition) -> Features:
    """The rules of each graph, by presence or count.

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


def _of_kind(kind: str) -> Callable[[Derivation], list[str]]:
    return lambda graph: [rule for rule in graph.rules if rule_kind(rule) == kind]


CHOICES: dict[str, Callable[[Derivation], Sequence[str]]] = {
    "all": lambda graph: graph.rules,
    "grammar": _of_kind("grammar"),
    "interpretation": _of_kind("interpretation"),
}
"""What may stand after the colon of `rules`, and the atoms that it leaves of a graph."""


def _of_derivations(read: ReadOnce, definition: AtomDefinition) -> Features:
    return atoms(read.graphs(dataset_derivations), definition)


def _of_programs(read: ReadOnce, definition: AtomDefinition) -> Features:
    count = symbols_with_arity if definition.rules == "arity" else symbols
    return count(read.made(dataset_programs), definition.value)


def _of_texts(read: ReadOnce, definition: AtomDefinition) -> Features:
    return tokens(read.dataset, definition.value)


RULES = StructureKind(
    "rules",
    ("atoms",),
    atom_notation("rules", ("all", "grammar", "interpretation")),
    _of_derivations,
    dataset_derivations,
)
SYMBOLS = StructureKind(
    "symbols",
    ("atoms",),
    atom_notation("symbols", ("all", "arity")),
    _of_programs,
    program_graphs,
    vocabulary=lambda read: set(read.made(dataset_programs).names),
)
TOKENS = StructureKind("tokens", ("atoms",), atom_notation("tokens", ("all",)), _of_texts)
