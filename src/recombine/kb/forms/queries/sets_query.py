"""A pattern as SPARQL that means what S-expressions mean (GrailQA, appendix B): sets, nothing more.

The answers are distinct. A constant stands in its fact; one with several facts is a variable with that value. The
largest value is found by a sub-select over the same pattern with variables of its own, and compared by its value. A set
with a function of its own is a sub-select.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.form import ARGMAX
from recombine.kb.forms.queries.sparql_leaves import leaf_of_term
from recombine.kb.term import LITERAL
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern, PatternNode
    from recombine.kb.profiles.profile import Profile

COUNTED = Tree("?value")


def sets_query(pattern: Pattern, profile: Profile) -> Tree:
    """The tree of the query."""
    return _Writer(profile).question(pattern)


class _Writer:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._scopes = 0

    def question(self, pattern: Pattern, answer: Tree | None = None) -> Tree:
        """A query for what a pattern asks; in a sub-select, `answer` is the variable that gets it."""
        scope = self._scope()
        if pattern.count:
            leaves = self._leaves(pattern, scope)
            counted = Tree("COUNT", (Tree("distinct", (leaves[pattern.asked],)),))
            project = Tree("as", (counted, answer or COUNTED))
            return _select("select", project, self._where(pattern, leaves))
        leaves = self._leaves(pattern, scope, answer)
        return _select("select_distinct", leaves[pattern.asked], self._where(pattern, leaves))

    def _scope(self) -> str:
        """The first letters of the variables of the next pattern."""
        self._scopes += 1
        return "xyz"[self._scopes - 1] if self._scopes <= 3 else f"s{self._scopes}_"

    def _leaves(self, pattern: Pattern, scope: str, answer: Tree | None = None) -> list[Tree]:
        """What stands for each node in triples: its constant, or a variable."""
        leaves = []
        for place, node in enumerate(pattern.nodes):
            edges = pattern.edges_at(place)
            inline = place != pattern.asked and node.grounded and len(edges) == 1
            if inline and node.constants[0].kind == LITERAL:
                inline = edges[0].end == place  # SPARQL has no literal before a relation
            leaves.append(leaf_of_term(node.constants[0], self._profile) if inline else Tree(f"?{scope}{place}"))
        if answer is not None:
            leaves[pattern.asked] = answer
        return leaves

    def _where(self, pattern: Pattern, leaves: list[Tree]) -> list[Tree]:
        elements = self._elements(pattern, leaves)
        extreme = pattern.extreme
        if extreme is None:
            return elements
        scope = self._scope()
        inner = self._leaves(pattern, scope)
        most = "MAX" if pattern.nodes[extreme].extreme == ARGMAX else "MIN"
        value = Tree(f"?{scope}")
        project = Tree("as", (Tree(most, (inner[extreme],)), value))
        elements.append(_select("select", project, self._elements(pattern, inner)))
        elements.append(Tree("filter", (Tree("=", (leaves[extreme], value)),)))
        return elements

    def _elements(self, pattern: Pattern, leaves: list[Tree]) -> list[Tree]:
        elements = [part for node, leaf in zip(pattern.nodes, leaves, strict=True) for part in self._said(node, leaf)]
        for edge in pattern.edges:
            relation = leaf_of_term(edge.relation, self._profile)
            elements.append(Tree("triple", (leaves[edge.start], relation, leaves[edge.end])))
        if not any(leaves[pattern.asked] in element.iter_nodes() for element in elements):
            raise FormError("nothing is said of what is asked for", "give it a class or a fact")
        return elements

    def _said(self, node: PatternNode, leaf: Tree) -> list[Tree]:
        """What is said of a node apart from its edges."""
        elements = []
        if leaf.label.startswith("?"):
            for term in node.constants:
                row = Tree("row", (leaf_of_term(term, self._profile),))
                elements.append(Tree("values", (Tree("variables", (leaf,)), row)))
        for name in node.classes:
            elements.append(type_triple(leaf, leaf_of_term(name, self._profile), self._profile))
        for sign, value in node.comparisons:
            elements.append(Tree("filter", (Tree(sign, (leaf, leaf_of_term(value, self._profile))),)))
        elements += [self.question(inner, leaf) for inner in node.inner]
        return elements


def type_triple(leaf: Tree, name: Tree, profile: Profile) -> Tree:
    """The fact that a thing is of a class, by the first predicate that the profile has for it."""
    predicates = profile.predicates("type")
    if not predicates:
        raise FormError(f"the profile {profile.name!r} has no predicate of classes", 'give it type = ["…"]')
    return Tree("triple", (leaf, leaf_of_term(predicates[0], profile), name))


def _select(label: str, projected: Tree, elements: list[Tree]) -> Tree:
    return Tree(label, (Tree("project", (projected,)), Tree("where", tuple(elements))))
