"""Atoms: the rules that an example is made with (CFQ paper, §2), or the symbols or tokens of its program."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.records.derivation import RULE_KINDS, rule_kind
from recombine.structures.atom_definition import AtomDefinition, atom_notation, one_of
from recombine.structures.dataset_derivations import dataset_derivations
from recombine.structures.features import Features
from recombine.structures.kinds import StructureKind
from recombine.structures.programs.distinct_programs import dataset_programs
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.program_tokens import tokens
from recombine.structures.programs.tree_parts import symbols, symbols_with_arity
from recombine.structures.programs.typed_programs import programs_as_counted
from recombine.structures.rule_choice import chosen_kinds, parse_rule_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.records.derivation import Derivation
    from recombine.structures.read_once import ReadOnce


def atoms(graphs: Sequence[Derivation], definition: AtomDefinition) -> Features:
    """The rules of each graph, by presence or count.

    >>> from recombine.records.derivation import Derivation
    >>> jump_twice = Derivation.tree(("twice", [("jump", [])]))
    >>> atoms([jump_twice], AtomDefinition()).row(0)
    {'jump': 1.0, 'twice': 1.0}
    """
    kinds = chosen_kinds(definition.rules)
    rows = []
    for graph in graphs:
        counts = Counter(graph.rules if kinds == RULE_KINDS else [r for r in graph.rules if rule_kind(r) in kinds])
        rows.append({rule: float(n) if definition.value == "counts" else 1.0 for rule, n in counts.items()})
    return Features.from_rows(rows)


def _of_derivations(read: ReadOnce, definition: AtomDefinition) -> Features:
    return atoms(read.graphs(dataset_derivations), definition)


def _of_programs(read: ReadOnce, definition: AtomDefinition) -> Features:
    count = symbols_with_arity if definition.rules == "arity" else symbols
    return count(programs_as_counted(read, definition), definition.value)


def _of_texts(read: ReadOnce, definition: AtomDefinition) -> Features:
    return tokens(read.dataset, definition.value)


RULES = StructureKind(
    "rules",
    ("atoms",),
    atom_notation("rules", parse_rule_choice),
    _of_derivations,
    dataset_derivations,
)
SYMBOLS = StructureKind(
    "symbols",
    ("atoms",),
    atom_notation("symbols", one_of("all", "arity"), typed=True),
    _of_programs,
    program_graphs,
    vocabulary=lambda read: set(read.made(dataset_programs).names),
)
TOKENS = StructureKind("tokens", ("atoms",), atom_notation("tokens", one_of("all")), _of_texts)
