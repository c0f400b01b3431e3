"""From a derivation tree to the rule application graph (CFQ paper, Appendix L.1).

The rules of the grammar form a tree in preorder; the slot of an edge is the child's place in its parent's rule. Each
interpretation rule that applies is a node too. It depends on the interpretation rule that asked for it (the slot is the
place of the call) and on the deepest nodes of the grammar that it looks at (slot 0): what these depend on follows, so
all edges are minimal. A meaning that is used twice (`[[V]] [[V]]`) is worked out once and is one node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.records.derivation import Derivation

if TYPE_CHECKING:
    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.interpret import Interpreter
    from recombine.grammars.terms.rule import Application, Fragment

# A tree with the numbers of its nodes: (rule, number, children).
_Numbered = tuple[str, int, "tuple[_Numbered, ...]"]


def build_derivation(term: Term, interpreter: Interpreter | None) -> Derivation:
    """The rule application graph of a term."""
    rules: list[str] = []
    edges: list[tuple[int, int, int]] = []
    root = _number(term, rules, edges)
    if interpreter is not None:
        _Interpretations(interpreter, rules, edges).visit(term, root, None)
    return Derivation(tuple(rules), tuple(edges))


def _number(term: Term, rules: list[str], edges: list[tuple[int, int, int]]) -> _Numbered:
    here = len(rules)
    rules.append(term[0])
    children = []
    for slot, child in enumerate(term[1], start=1):
        edges.append((here, len(rules), slot))
        children.append(_number(child, rules, edges))
    return term[0], here, tuple(children)


class _Interpretations:
    """Adds the nodes and edges of the interpretation."""

    def __init__(self, interpreter: Interpreter, rules: list[str], edges: list[tuple[int, int, int]]) -> None:
        self.interpreter, self.rules, self.edges = interpreter, rules, edges

    def visit(self, term: Fragment | int, numbered: _Numbered, caller: tuple[int, int] | None) -> None:
        """Apply the rule that fits at the root; the caller is its node and the place of the call."""
        assert not isinstance(term, int)  # noqa: S101  # a whole term has no open places
        matched = self.interpreter.find(term)
        if matched is None:
            self.visit(term[1][0], numbered[2][0], caller)
            return
        rule, bound = matched
        leaves: list[int] = []
        numbers: dict[int, _Numbered] = {}
        _walk(rule.pattern, numbered, leaves, numbers)
        here = self._node(rule.name, [(leaf, 0) for leaf in sorted(leaves)], caller)
        self._calls(rule.calls, here, bound, numbers)

    def _calls(
        self,
        calls: tuple[Application | int, ...],
        caller: int,
        bound: dict[int, Fragment | int],
        numbers: dict[int, _Numbered],
    ) -> None:
        for place, call in enumerate(calls, start=1):
            if isinstance(call, int):
                self.visit(bound[call], numbers[call], (caller, place))
            else:
                here = self._node(call.rule, [], (caller, place))
                self._calls(call.calls, here, bound, numbers)

    def _node(self, rule: str, parents: list[tuple[int, int]], caller: tuple[int, int] | None) -> int:
        here = len(self.rules)
        self.rules.append(rule)
        for parent, slot in [*parents, *([caller] if caller else [])]:
            self.edges.append((parent, here, slot))
        return here


def _walk(pattern: Fragment | int, numbered: _Numbered, leaves: list[int], numbers: dict[int, _Numbered]) -> None:
    """Find the deepest nodes under a pattern and the numbered trees that its variables stand for."""
    if isinstance(pattern, int):
        numbers[pattern] = numbered
        return
    fixed = [child for child in pattern[1] if not isinstance(child, int)]
    if not fixed:
        leaves.append(numbered[1])
    for child, tree in zip(pattern[1], numbered[2], strict=True):
        _walk(child, tree, leaves, numbers)
