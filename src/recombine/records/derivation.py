"""A derivation: the rule applications that made an example, as a directed acyclic graph.

Nodes are rule applications, numbered so that a node comes after all nodes it depends on (a tree is in preorder). An
edge says that the child strictly depends on the parent; only minimal dependencies are edges (CFQ paper, Appendix
L.1). An edge carries the slot it fills: the child's position, counted from 1, among what the parent's rule asks for.

A derivation in a file is at most `MAX_DERIVATION_DEPTH` rule applications deep, so that it can be drawn.

A rule whose name is in double brackets (`[[V twice]]`) belongs to the interpretation; a name may say its kind before a
colon (`inference:PREDICATE_UNREIFICATION`, `resolution:ENTITY_MID`, `knowledge:Role(Actor, Playing)`); any other
belongs to the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import lt
from typing import TYPE_CHECKING, Any, TypeVar

from recombine.errors import DerivationError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Node = TypeVar("Node")

MAX_DERIVATION_DEPTH = 1000
"""The most rule applications on the longest way down a derivation that is read from a file."""


RULE_KINDS = ("grammar", "inference", "resolution", "knowledge", "interpretation")
"""What rules are: those of a grammar, of the three kinds that work on logical forms, or of an interpretation."""
_NAMED_KINDS = tuple(f"{kind}:" for kind in ("inference", "resolution", "knowledge"))


def rule_kind(rule: str) -> str:
    """`interpretation` for names in double brackets, the kind that stands before a colon, else `grammar`.

    >>> rule_kind("inference:PREDICATE_UNREIFICATION"), rule_kind("S=WHQ")
    ('inference', 'grammar')
    """
    if rule.startswith(_NAMED_KINDS):
        return rule[: rule.index(":")]
    return "interpretation" if rule.startswith("[[") else "grammar"


def has_logical_rules(derivation: Derivation) -> bool:
    """Whether rules of inference, resolution or knowledge were applied."""
    return any(rule.startswith(_NAMED_KINDS) for rule in derivation.rules)


@dataclass(frozen=True, slots=True)
class Derivation:
    """Rule names by node, and edges `(parent, child, slot)` sorted by child, then parent, then slot.

    >>> d = Derivation.tree(("twice", [("jump", [])]))
    >>> d.rules, d.edges
    (('twice', 'jump'), ((0, 1, 1),))
    """

    rules: tuple[str, ...]
    edges: tuple[tuple[int, int, int], ...]

    @classmethod
    def tree(cls, nested: tuple[str, Sequence[Any]]) -> Derivation:
        """A derivation from nested `(rule, [children])` pairs; the n-th child fills slot n."""
        return cls.of_tree(nested, lambda pair: pair[0], lambda pair: pair[1])

    @classmethod
    def of_tree(cls, root: Node, name: Callable[[Node], str], children: Callable[[Node], Sequence[Node]]) -> Derivation:
        """A derivation from any tree, given what names a node and what is below it; the n-th child fills slot n."""
        rules: list[str] = []
        edges: list[tuple[int, int, int]] = []
        waiting: list[tuple[Node, int, int]] = [(root, -1, 0)]
        here = 0
        while waiting:
            node, parent, slot = waiting.pop()
            rules.append(name(node))
            edges.append((parent, here, slot))
            below = children(node)
            if len(below) == 1:
                waiting.append((below[0], here, 1))
            elif below:
                for place in range(len(below), 0, -1):
                    waiting.append((below[place - 1], here, place))
            here += 1
        return cls(tuple(rules), tuple(edges[1:]))  # the root fills no slot

    @classmethod
    def from_rows(cls, rows: object) -> Derivation:
        """Read the form kept in files: one row `[rule, parent, slot, parent, slot, …]` per node."""
        if not isinstance(rows, list):
            raise DerivationError("a derivation is a list of [rule, parent, slot, …] rows")
        tree = _plain_tree(rows)
        if tree is not None:
            return cls(*tree)
        rules: list[str] = []
        edges: list[tuple[int, int, int]] = []
        depths: list[int] = []
        for child, row in enumerate(rows):
            ok = isinstance(row, list) and len(row) % 2 == 1 and isinstance(row[0], str)
            if not ok or not all(type(value) is int for value in row[1:]):
                raise DerivationError(f"row {child} of the derivation is not [rule, parent, slot, …]")
            rules.append(row[0])
            for parent, slot in zip(row[1::2], row[2::2], strict=True):
                if not 0 <= parent < child or slot < 0:
                    raise DerivationError(
                        f"row {child} of the derivation depends on row {parent}", "a parent comes before its child"
                    )
                edges.append((parent, child, slot))
            depths.append(1 + max((depths[parent] for parent in row[1::2]), default=0))
            if depths[child] > MAX_DERIVATION_DEPTH:
                raise DerivationError(
                    f"row {child} of the derivation is more than {MAX_DERIVATION_DEPTH} rule applications deep",
                    "shorten the example, or leave it out",
                )
        return cls(tuple(rules), tuple(sorted(edges, key=lambda edge: (edge[1], edge[0], edge[2]))))

    def to_rows(self) -> list[list[str | int]]:
        """The form kept in files; `from_rows` reads it back."""
        rows: list[list[str | int]] = [[rule] for rule in self.rules]
        for parent, child, slot in self.edges:
            rows[child] += (parent, slot)
        return rows

    def restricted(self, *kinds: str) -> Derivation:
        """The sub-graph of the rules of one kind, or of several, in the same order."""
        keep = [node for node, rule in enumerate(self.rules) if rule_kind(rule) in kinds]
        if len(keep) == len(self.rules):
            return self
        number = {node: position for position, node in enumerate(keep)}
        return Derivation(
            tuple(self.rules[node] for node in keep),
            tuple((number[p], number[c], slot) for p, c, slot in self.edges if p in number and c in number),
        )


def _plain_tree(rows: list[Any]) -> tuple[tuple[str, ...], tuple[tuple[int, int, int], ...]] | None:
    """The rules and edges of rows that are a small tree without fault; none for whoever must be looked at row by row.

    It asks of whole columns what `from_rows` asks of each row, which takes a fifth of the time.
    """
    if not 1 < len(rows) <= MAX_DERIVATION_DEPTH or {*map(type, rows)} != {list} or len(rows[0]) != 1:
        return None
    if {*map(len, rows)} != {1, 3} or len(rows[1]) != 3:
        return None
    try:
        names, parents, slots = zip(*rows[1:], strict=True)
    except ValueError:  # another one than the first depends on nothing
        return None
    children = range(1, len(rows))
    if {*map(type, names), type(rows[0][0])} != {str} or {*map(type, parents), *map(type, slots)} != {int}:
        return None
    if min(parents) < 0 or min(slots) < 0 or not all(map(lt, parents, children)):
        return None
    return (rows[0][0], *names), tuple(zip(parents, children, slots, strict=True))
