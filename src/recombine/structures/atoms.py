"""Atoms: the rules that an example is made with (CFQ paper, §2), or the symbols or tokens of its program."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.records.derivation import rule_kind
from recombine.structures.features import Features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.records.derivation import Derivation
    from recombine.structures.definition import AtomDefinition


def atoms(derivations: Sequence[Derivation], definition: AtomDefinition) -> Features:
    """The rules or symbols of each derivation, by presence or count.

    >>> from recombine.records.derivation import Derivation
    >>> from recombine.structures.definition import AtomDefinition
    >>> jump_twice = Derivation.tree(("twice", [("jump", [])]))
    >>> atoms([jump_twice], AtomDefinition()).row(0)
    {'jump': 1.0, 'twice': 1.0}
    """
    rows = []
    for derivation in derivations:
        counts = Counter(_names(derivation, definition.rules))
        rows.append({rule: float(n) if definition.value == "counts" else 1.0 for rule, n in counts.items()})
    return Features.from_rows(rows)


def _names(derivation: Derivation, kind: str) -> list[str]:
    """The names of one kind: all rules, those of a kind, or symbols with their numbers of arguments."""
    if kind == "all":
        return list(derivation.rules)
    if kind == "arity":
        arguments = Counter(parent for parent, _, _ in derivation.edges)
        return [f"{symbol}/{arguments[node]}" for node, symbol in enumerate(derivation.rules)]
    return [rule for rule in derivation.rules if rule_kind(rule) == kind]
