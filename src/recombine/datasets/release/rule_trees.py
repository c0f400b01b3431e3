"""Rule trees of the release as derivations, and derivations as rule trees.

A node is `{"ruleId": …, "subTrees": [node, …]}`; App. A of the CFQ paper has `subTree`, which is read too. A tree is
read as a derivation in preorder, whose n-th sub-tree fills slot n, whatever the rule at its head is.

A derivation can be more than a tree: a rule application may depend on several, and more than one on none. Such a one is
written as the tree in which every application is below the first that it depends on, and whole beside it, as JSON lines
have it; what is read back is the whole one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.release.rule_ids import read_rule_id, to_rule_id
from recombine.errors import DerivationError
from recombine.records.derivation import Derivation

if TYPE_CHECKING:
    from collections.abc import Sequence

RULE, BELOW, BELOW_IN_PAPER = "ruleId", "subTrees", "subTree"
MAX_TREE_DEPTH = 400
"""The most levels of a tree that is written: readers of JSON give up at about 500."""
_KNOWN = frozenset({RULE, BELOW, BELOW_IN_PAPER})


class RuleTreeReader:
    """Makes derivations of rule trees, and counts what is in them besides rules."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()
        """The further keys of nodes, which a derivation has no place for, with the number of nodes that have them."""
        self._edges: dict[tuple[int, int, int], tuple[int, int, int]] = {}

    def read(self, tree: Any) -> Derivation:
        """The derivation of a tree."""
        derivation = Derivation.of_tree(tree, self._name, self._below)
        # Edges of different trees are mostly equal, and a hundred million of them would be held.
        return Derivation(derivation.rules, tuple(map(self._edges.setdefault, derivation.edges, derivation.edges)))

    def _name(self, node: Any) -> str:
        if not isinstance(node, dict) or RULE not in node:
            raise DerivationError("a node of the rule tree has no ruleId", f"write it as {{{RULE}, {BELOW}}}")
        if len(node) > 2 or not node.keys() <= _KNOWN:
            self.left_out.update(node.keys() - _KNOWN)
        return read_rule_id(node[RULE])

    def _below(self, node: dict[str, Any]) -> Sequence[Any]:
        if len(node) == 1:
            return ()
        if BELOW in node and BELOW_IN_PAPER in node:
            raise DerivationError(f"a node of the rule tree has both {BELOW} and {BELOW_IN_PAPER}", "leave out one")
        below = node.get(BELOW, node.get(BELOW_IN_PAPER))
        if below is None:
            return ()
        if not isinstance(below, list):
            raise DerivationError(f"the {BELOW} of a node of the rule tree are not a list", "write them as […]")
        return below


class RuleTreeWriter:
    """Makes rule trees of derivations, each rule spelled once."""

    def __init__(self) -> None:
        self._spelled: dict[str, bytes] = {}

    def write(self, derivation: Derivation) -> tuple[bytes | None, bool]:
        """The JSON of a tree, or none where there is no one root or it is too deep; and whether it says everything."""
        below = _first_parents(derivation)
        if below is None:
            return None, False
        tree = Derivation.of_tree(0, derivation.rules.__getitem__, below.__getitem__)
        return self._spell(derivation.rules, below), tree == derivation

    def _spell(self, rules: Sequence[str], below: Sequence[Sequence[int]]) -> bytes:
        pieces: list[bytes] = []
        waiting: list[int | bytes] = [0]
        while waiting:
            node = waiting.pop()
            if isinstance(node, bytes):
                pieces.append(node)
                continue
            pieces += b'{"ruleId":', self.spell_rule(rules[node])
            if not below[node]:
                pieces.append(b"}")
                continue
            pieces.append(b',"subTrees":[')
            waiting.append(b"]}")
            for place, child in reversed([*enumerate(below[node])]):
                waiting += [child, b","] if place else [child]
        return b"".join(pieces)

    def spell_rule(self, name: str) -> bytes:
        """The JSON of a rule id."""
        if name not in self._spelled:
            self._spelled[name] = orjson.dumps(to_rule_id(name))
        return self._spelled[name]


def spanning_tree(derivation: Derivation) -> Derivation | None:
    """The tree in which every rule application is below the first that it depends on; none where it is not written.

    >>> spanning_tree(Derivation(("a", "b", "c"), ((0, 1, 1), (0, 2, 2), (1, 2, 1)))).edges
    ((0, 1, 1), (0, 2, 2))
    """
    below = _first_parents(derivation)
    return None if below is None else Derivation.of_tree(0, derivation.rules.__getitem__, below.__getitem__)


def _first_parents(derivation: Derivation) -> list[list[int]] | None:
    """What is below each node in the tree of a derivation, by slot."""
    first: dict[int, tuple[int, int]] = {}
    for parent, child, slot in derivation.edges:
        first.setdefault(child, (parent, slot))
    if len(derivation.rules) != len(first) + 1:
        return None
    below: list[list[tuple[int, int]]] = [[] for _ in derivation.rules]
    depths = [1] * len(derivation.rules)
    for child in sorted(first):
        parent, slot = first[child]
        below[parent].append((slot, child))
        depths[child] = depths[parent] + 1
    if max(depths) > MAX_TREE_DEPTH:
        return None
    return [[child for _, child in sorted(children)] for children in below]
