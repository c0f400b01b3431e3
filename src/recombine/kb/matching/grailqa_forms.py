"""What GrailQA's published scorer compares: its graph of an S-expression, as a text.

The scorer makes a graph of a form and asks whether two graphs are isomorphic. Its graphs say less, and its reader takes
less and more, than the paper's text has it:

- which node is asked for is not compared;
- a relation of the ontology is an edge between a node of its domain and one of its range, with a second edge for its
  reverse; a word that is neither a literal, a class nor a relation of the ontology is an entity, and where a relation
  belongs, nothing is left of it;
- a class is one that is above or below another in the list of classes, and 392 classes that are in no line of it are
  taken for entities; at a `JOIN` the class of the relation stands where the other is above it in that list, at an `AND`
  the class of the first argument, else what the second says. The published list has classes that the commons lack: a
  word that looks like a name of the schema and is in none of the files is taken for one of those;
- words are cut at blanks alone: a blank after an opening bracket or before a closing one is not read, and neither are
  `LT`, `LE`, `GT` and `GE`; of an unfinished text, the first word of the list that is open is the form.

The published search erases functions while it compares nodes, so that its verdict may hang on the order of the search.
Here nothing is erased: where the published verdict is the same in every order, it is this one. Every graph is a tree,
and its text begins at its middle, so that two graphs are isomorphic when their texts are equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.kb.term import Term
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile

    Expression = str | list["Expression"]

NAME = "GrailQA"
MAX_LENGTH = 50_000
_UNKNOWN = "@@UNKNOWN@@"
_ENTITY, _LITERAL, _CLASS = "entity", "literal", "class"
_COMPARISONS = {"le": "<=", "ge": ">=", "lt": "<", "gt": ">"}
_NODE, _EDGE, _END, _PART = "\x1c", "\x1d", "\x1e", "\x1f"
"""What divides the parts of a graph's text: characters at which words are cut, so that no word holds one."""


class GrailqaForms:
    """The graphs of the published scorer under an ontology, which it needs."""

    def __init__(self, ontology: Ontology, profile: Profile) -> None:
        self._profile = profile
        self._missing = {name.text for name in ontology.classes}
        self._classes = {name.text for name in ontology.superclasses}
        self._classes.update(above.text for names in ontology.superclasses.values() for above in names)
        self._classes.update(name.text for group in ontology.merged for name in group)
        self._above = {
            name.text: {above.text for above in ontology.ancestors(name)}
            | {other.text for group in ontology.merged if name in group for other in group if other != name}
            for name in ontology.classes
        }
        self._relations = {
            relation.text: (role.domain[-1].text, role.range[-1].text)
            for relation, role in ontology.relations.items()
            if role.domain and role.range
        }
        self._reverses = {relation.text: reverse.text for relation, reverse in ontology.reverses.items()}

    def text(self, form: str) -> str:
        """The graph of a form as a text; what the scorer cannot read is a `ProgramError`."""
        return _tree_text(self.nodes(form))

    def nodes(self, form: str) -> list[ScorerNode]:
        """The nodes of the graph of a form, in the order of their numbers."""
        if len(form) > MAX_LENGTH or _UNKNOWN in form:
            raise _unreadable("a text that is too long, or holds a word that is not known")
        try:
            graph = self._graph(_nested(form), 0)
            graph.numbered[-1]  # a graph without a node is none
        except (IndexError, AttributeError) as error:
            raise _unreadable("its brackets, blanks or missing arguments") from error
        return graph.numbered

    def _graph(self, expression: Expression, depth: int) -> _Graph:
        """The graph of an expression, whose last node is the one asked for."""
        if isinstance(expression, str):
            return self._word(expression)
        if depth >= MAX_DEPTH:
            raise _unreadable(f"more than {MAX_DEPTH} levels inside each other")
        head = expression[0]
        if not isinstance(head, str):
            raise _unreadable("a list where a function belongs")
        first = self._graph(expression[1], depth + 1)
        if head == "R":
            first.numbered.reverse()
            return first
        if head == "COUNT":
            first.numbered[-1].function = "count"
            return first
        if head == "TC":
            first.numbered[-1].time = f"{expression[2]}{_PART}{expression[3]}"
            return first
        second = self._graph(expression[2], depth + 1)
        if head == "JOIN" or head in _COMPARISONS:
            return self._joined(first, second, _COMPARISONS.get(head, ""))
        if head == "AND" or "ARG" in head:
            return self._met(first, second, "" if head == "AND" else head.lower())
        raise _unreadable(f"the function {head!r}")

    def _word(self, word: str) -> _Graph:
        if not word:
            return _Graph([])
        if "^^" in word:
            return _Graph([ScorerNode(word, _LITERAL)])
        if word not in self._relations or word in self._classes:
            return _Graph([ScorerNode(word, _CLASS if self._is_class(word) else _ENTITY)])
        domain, range_ = (ScorerNode(name, _CLASS) for name in self._relations[word])
        reverse = self._reverses.get(word)
        domain.edges.append((range_, word, reverse))
        range_.edges.append((domain, reverse, word))
        return _Graph([range_, domain])

    def _is_class(self, word: str) -> bool:
        if word in self._classes or word in self._missing:
            return word in self._classes
        term = Term.name(word)
        return bool(self._profile.domain_of(term)) and not self._profile.is_entity(term)

    def _joined(self, pairs: _Graph, members: _Graph, function: str) -> _Graph:
        """The first node of a relation's graph and the one that a set asks for are one."""
        one, other = pairs.numbered[0], members.numbered[-1]
        if one.kind == other.kind == _CLASS and other.name in self._above.get(one.name, ()):
            other.name = one.name
        other.take(one)
        pairs.numbered[0] = other
        numbered = members.numbered + pairs.numbered[1:]
        if function:
            numbered[0].function = function
        return _Graph(numbered)

    def _met(self, first: _Graph, second: _Graph, superlative: str) -> _Graph:
        """The nodes that two graphs ask for are one; the second's first node is the value of a superlative."""
        if superlative:
            value = second.numbered[0]
            value.name, value.kind, value.function = "0", _LITERAL, superlative
        one, other = first.numbered[-1], second.numbered[-1]
        if one.kind == other.kind == _CLASS:
            other.name = one.name
        other.take(one)
        return _Graph([*second.numbered[:-1], *first.numbered[:-1], other])


class ScorerNode:
    """A node of the scorer's graph, with its edges: to whom, by which relation, and by which one back."""

    __slots__ = ("edges", "function", "kind", "name", "time")

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind, self.function, self.time = name, kind, "", ""
        self.edges: list[tuple[ScorerNode, str | None, str | None]] = []

    def take(self, other: ScorerNode) -> None:
        """Become one with another node: what this one says counts, and of the other what it does not say."""
        self.function, self.time = self.function or other.function, self.time or other.time
        for neighbour, along, back in other.edges:
            self.edges.append((neighbour, along, back))
            place = next(place for place, edge in enumerate(neighbour.edges) if edge[0] is other)
            neighbour.edges[place] = (self, *neighbour.edges[place][1:])


class _Graph:
    """Nodes in the order of their numbers."""

    __slots__ = ("numbered",)

    def __init__(self, numbered: list[ScorerNode]) -> None:
        self.numbered = numbered


def _nested(form: str) -> Expression:
    """The lists of a text as the scorer reads them; what it fails at is an `IndexError`."""
    stack: list[list[Expression]] = []
    current: list[Expression] = []
    for word in form.split():
        bare = word.lstrip("(")
        for _ in range(len(word) - len(bare)):
            inner: list[Expression] = []
            current.append(inner)
            stack.append(current)
            current = inner
        if not bare.rstrip(")"):
            raise IndexError  # a bracket with a blank on both sides of it
        current.append(bare.replace(")", ""))
        for _ in range(len(bare) - len(bare.rstrip(")"))):
            current = stack.pop()
    return current[0]


def _unreadable(what: str) -> ProgramError:
    return ProgramError(NAME, 0, f"the published scorer does not read {what}", "it counts such a form as wrong")


# -- texts of trees --------------------------------------------------------------------------------------------------


def _tree_text(nodes: list[ScorerNode]) -> str:
    """The text of a tree from its middle; of two nodes in the middle, from the one whose text sorts first."""
    return min(_text_from(node) for node in _middle(nodes))


def _middle(nodes: list[ScorerNode]) -> list[ScorerNode]:
    """The one or two nodes that are left when the leaves of a tree are taken away again and again."""
    left = set(nodes)
    degrees = {node: len(node.edges) for node in nodes}
    leaves = [node for node in nodes if degrees[node] <= 1]
    while len(left) > 2:
        left.difference_update(leaves)
        nearer = []
        for leaf in leaves:
            for neighbour, _, _ in leaf.edges:
                degrees[neighbour] -= 1
                if neighbour in left and degrees[neighbour] == 1:
                    nearer.append(neighbour)
        leaves = nearer
    return [node for node in nodes if node in left]


def _text_from(root: ScorerNode) -> str:
    """The text of a tree from a node, leaves first; branches are sorted."""
    order: list[tuple[ScorerNode, ScorerNode | None]] = [(root, None)]
    for node, before in order:
        order.extend((neighbour, node) for neighbour, _, _ in node.edges if neighbour is not before)
    texts: dict[ScorerNode, str] = {}
    for node, before in reversed(order):
        branches = sorted(
            f"{_EDGE}{along or ''}{_PART}{back or ''}{texts[neighbour]}"
            for neighbour, along, back in node.edges
            if neighbour is not before
        )
        label = _PART.join((node.kind, node.name, node.function, node.time))
        texts[node] = f"{_NODE}{label}{''.join(branches)}{_END}"
    return texts[root]
