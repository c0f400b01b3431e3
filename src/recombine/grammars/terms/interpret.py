"""Interpretation: from a derivation tree of the grammar to the words of the target.

An interpretation rule `[[<U> opposite left]] = [[turn opposite left]] [[<U>]]` names a fragment of the grammar's
trees by the phrase it makes. It applies where its fragment matches; a rule of the grammar that only renames its child
(`V -> U`) needs none and passes its child's meaning on. Exactly one rule must match: none, or two, is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError
from recombine.grammars.terms.rule import Application, term_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.grammars.terms.rule import Fragment, Interpretation, Rule


def match(pattern: Fragment | int, tree: Fragment | int, bound: dict[int, Fragment | int]) -> bool:
    """Whether the pattern lies over the tree from its root; fills in what its variables stand for."""
    if isinstance(pattern, int):
        bound[pattern] = tree
        return True
    if isinstance(tree, int) or pattern[0] != tree[0]:
        return False
    return all(match(p, t, bound) for p, t in zip(pattern[1], tree[1], strict=True))


def overlap(left: Fragment | int, right: Fragment | int) -> bool:
    """Whether some tree is matched by both patterns."""
    if isinstance(left, int) or isinstance(right, int):
        return True
    return left[0] == right[0] and all(overlap(a, b) for a, b in zip(left[1], right[1], strict=True))


class Interpreter:
    """Applies interpretation rules to trees."""

    def __init__(self, rules: Mapping[str, Rule], interpretations: Sequence[Interpretation]) -> None:
        self.rules = rules
        self.by_root: dict[str, list[Interpretation]] = {}
        for interpretation in interpretations:
            self.by_root.setdefault(interpretation.pattern[0], []).append(interpretation)

    def find(self, tree: Fragment) -> tuple[Interpretation, dict[int, Fragment | int]] | None:
        """The one rule that applies at the root and its bindings; none where the root only renames."""
        for candidate in self.by_root.get(tree[0], ()):
            bound: dict[int, Fragment | int] = {}
            if match(candidate.pattern, tree, bound):
                return candidate, bound
        if self.rules[tree[0]].renames():
            return None
        raise DerivationError(f"no interpretation rule matches {term_text(tree)}", "add one to the grammar file")

    def words(self, tree: Fragment | int, memo: dict[Fragment, tuple[str | int, ...]]) -> tuple[str | int, ...]:
        """The words a tree means; integers stay where the tree has open places."""
        if isinstance(tree, int):
            return (tree,)
        if tree not in memo:
            matched = self.find(tree)
            if matched is None:
                memo[tree] = self.words(tree[1][0], memo)
            else:
                rule, bound = matched
                words: list[str | int] = []
                for element in rule.output:
                    if isinstance(element, str):
                        words.append(element)
                    else:
                        words.extend(self.words(bound[element], memo))
                memo[tree] = tuple(words)
        return memo[tree]

    def application(self, tree: Fragment | int) -> Application | int:
        """The interpretation rules that a tree with open places asks for."""
        if isinstance(tree, int):
            return tree
        matched = self.find(tree)
        if matched is None:
            return self.application(tree[1][0])
        rule, bound = matched
        return Application(rule.name, tuple(self._bind(call, bound) for call in rule.calls))

    def _bind(self, call: Application | int, bound: Mapping[int, Fragment | int]) -> Application | int:
        if isinstance(call, int):
            return self.application(bound[call])
        return Application(call.rule, tuple(self._bind(inner, bound) for inner in call.calls))
