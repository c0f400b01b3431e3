"""A template: a graph query whose entities and literals are still open (GrailQA, section 3.1).

The leaves are open: a leaf of kind `entity` or `literal` has no value, and `of_class` says what may stand there. A
literal may carry a comparison, or a superlative, which needs no value and is no open leaf. All other nodes are of kind
`class`, with their class or none where nothing is known of it; the one that is asked for may carry a count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT, NONE, GraphNode, GraphQuery
from recombine.kb.store import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from recombine.kb.term import Term

SUPERLATIVE, COMPARATIVE = "superlative", "comparative"
TEMPLATE_FUNCTIONS = (NONE, COUNT, SUPERLATIVE, COMPARATIVE)
"""What a template does with what it finds."""
_ESCAPES = str.maketrans({char: f"%{ord(char):02X}" for char in ("%", "(", ")", *map(chr, range(33)), "\x7f")})


@dataclass(frozen=True)
class Template:
    """A graph query with open leaves.

    >>> from recombine.kb.forms.form import GraphEdge
    >>> from recombine.kb.term import Term
    >>> film, person, by = (Term.name(text) for text in ("film.film", "people.person", "film.film.directed_by"))
    >>> nodes = (GraphNode("class", film, function="count"), GraphNode("entity", None, person))
    >>> template = Template(GraphQuery(nodes, (GraphEdge(0, 1, by),)))
    >>> template.key
    '(class count =film.film (-> =film.film.directed_by (entity =people.person)))'
    >>> template.function, template.relations, template.leaves, template.shape
    ('count', 1, (1,), '(class count (-> (entity)))')
    >>> template.filled([Term.name("m.1")]).nodes[1].value.text
    'm.1'
    """

    query: GraphQuery

    @cached_property
    def key(self) -> str:
        """The text that all templates have that are this one but for the order of their nodes and edges."""
        return self._text(self.query.asked, -1, names=True)

    @cached_property
    def shape(self) -> str:
        """The key without the names of classes and relations."""
        return self._text(self.query.asked, -1, names=False)

    @property
    def relations(self) -> int:
        """How many relations it has, each as often as it stands there."""
        return len(self.query.edges)

    @cached_property
    def function(self) -> str:
        """What it does with what it finds, one of `TEMPLATE_FUNCTIONS`."""
        for node in self.query.nodes:
            if node.function == COUNT:
                return COUNT
            if node.function in (ARGMAX, ARGMIN):
                return SUPERLATIVE
            if node.function in COMPARISONS:
                return COMPARATIVE
        return NONE

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The places of the nodes that a grounding fills, in their order."""
        return tuple(place for place, node in enumerate(self.query.nodes) if is_open(node))

    @cached_property
    def is_tree(self) -> bool:
        """Whether every node is reached from the asked-for one in exactly one way."""
        count = len(self.query.nodes)
        return len(self.query.edges) == count - 1 and len(set(self._reached())) == count

    @cached_property
    def relation_names(self) -> tuple[Term, ...]:
        """The distinct relations, in the order of their keys."""
        return tuple(sorted({edge.relation for edge in self.query.edges}, key=lambda term: term.key))

    @cached_property
    def class_names(self) -> tuple[Term, ...]:
        """The distinct classes of its nodes, those of open leaves too, in the order of their keys."""
        classes = {node.value if node.kind == "class" else node.of_class for node in self.query.nodes}
        return tuple(sorted((name for name in classes if name is not None), key=lambda term: term.key))

    def domains(self, domain_of: Callable[[Term], str]) -> tuple[str, ...]:
        """The domains of its relations and classes as a function gives them, sorted; empty ones are left out."""
        items = (*self.relation_names, *self.class_names)
        return tuple(sorted({domain for name in items if (domain := domain_of(name))}))

    def steps(self, place: int) -> tuple[tuple[Step, int], ...]:
        """The steps that lead on from a node, along or against a relation, and the nodes that they lead to."""
        return self._beside[place]

    def branch(self, place: int, parent: int) -> str:
        """The canonical text of a node and all that hangs on it away from its parent."""
        return self._text(place, parent, names=True)

    def filled(self, values: Sequence[Term]) -> GraphQuery:
        """The graph query with a value at each open leaf, in their order."""
        if len(values) != len(self.leaves):
            raise FormError(f"{len(values)} values for {len(self.leaves)} open leaves", "give one for each")
        nodes = list(self.query.nodes)
        for place, value in zip(self.leaves, values, strict=True):
            nodes[place] = replace(nodes[place], value=value)
        return GraphQuery(tuple(nodes), self.query.edges, self.query.asked)

    @cached_property
    def _beside(self) -> tuple[tuple[tuple[Step, int], ...], ...]:
        beside: list[list[tuple[Step, int]]] = [[] for _ in self.query.nodes]
        for edge in self.query.edges:
            beside[edge.start].append((Step(edge.relation), edge.end))
            beside[edge.end].append((Step(edge.relation, inverse=True), edge.start))
        return tuple(map(tuple, beside))

    def _reached(self) -> Iterator[int]:
        """The nodes that edges connect with the asked-for one."""
        seen, waiting = {self.query.asked}, [self.query.asked]
        while waiting:
            place = waiting.pop()
            yield place
            new = [other for _, other in self._beside[place] if other not in seen]
            seen.update(new)
            waiting += new

    def _text(self, place: int, parent: int, *, names: bool) -> str:
        """A node with all that hangs on it; what hangs on a node has no order."""
        if not self.is_tree:
            raise FormError("a template that is no tree has no key", "connect all of its nodes, each in one way")
        branches = sorted(
            f"({'<-' if step.inverse else '->'} {_name(step.relation) + ' ' if names else ''}"
            f"{self._text(other, place, names=names)})"
            for step, other in self._beside[place]
            if other != parent
        )
        return f"({' '.join((*_labels(self.query.nodes[place], names=names), *branches))})"


def is_open(node: GraphNode) -> bool:
    """Whether a grounding has to fill a node."""
    return node.kind != "class" and node.value is None and node.function not in (ARGMAX, ARGMIN)


def _labels(node: GraphNode, *, names: bool) -> Iterator[str]:
    yield node.kind
    if node.function != NONE:
        yield node.function
    if names and (known := node.of_class if node.kind != "class" else node.value) is not None:
        yield _name(known)
    if names and node.kind != "class" and node.value is not None:
        yield f"is {_name(node.value)}"


def _name(term: Term) -> str:
    """The key of a term without blanks and brackets."""
    return term.key.translate(_ESCAPES)
