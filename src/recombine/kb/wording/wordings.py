"""Questions in several wordings for every graph query that is a tree (GrailQA, section 3.1).

A query whose leaves are open gets questions that name the classes of its leaves, a grounded one such that name its
entities and values; both stand in brackets. Wordings are made once for a template, and names put in for each grounding.
A bracket in a name would end it, and becomes a round one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from recombine.kb.forms.form import ARGMAX, ARGMIN, GraphQuery
from recombine.kb.term import LITERAL, Term
from recombine.kb.wording.name_words import last_part
from recombine.kb.wording.query_tree import query_tree
from recombine.kb.wording.skeletons import skeletons
from recombine.kb.wording.vocabulary import Vocabulary
from recombine.kb.wording.word_grammar import WordGrammar

if TYPE_CHECKING:
    from recombine.kb.forms.form import GraphNode
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Store
    from recombine.kb.wording.wording import Skeleton, Wording

_BRACKETS = str.maketrans("[]", "()")


class OfTemplate(Protocol):
    """What has a graph query with open leaves."""

    @property
    def query(self) -> GraphQuery:
        """The query."""


class Grounded(Protocol):
    """What has a graph query with its leaves filled."""

    @property
    def form(self) -> GraphQuery:
        """The query."""


class Wordings:
    """Makes questions.

    >>> from recombine.kb.forms.form import GraphEdge, GraphNode
    >>> from recombine.kb.term import Term
    >>> nodes = GraphNode("class", Term.name("film.film")), GraphNode("entity", Term.name("Ang Lee"))
    >>> query = GraphQuery(nodes, (GraphEdge(0, 1, Term.name("film.film.written_by")),))
    >>> for wording in Wordings().questions(query):
    ...     print(wording.kind, wording.text)
    passive which film was written by [Ang Lee]?
    passive what is the film written by [Ang Lee]?
    passive name the film written by [Ang Lee].
    """

    def __init__(
        self,
        store: Store | None = None,
        ontology: Ontology | None = None,
        grammar: WordGrammar | Path | str | None = None,
    ) -> None:
        known = WordGrammar(grammar) if grammar is None or isinstance(grammar, str | Path) else grammar
        self.vocabulary = Vocabulary(store, ontology, known)
        self._skeletons: dict[GraphQuery, tuple[Skeleton, ...]] = {}

    def questions(self, asked: GraphQuery | OfTemplate | Grounded) -> list[Wording]:
        """The wordings of a query, of a template or of a grounding, the best first."""
        query = graph_of(asked)
        names = {place: self.name_of(node) for place, node in enumerate(query.nodes) if is_named(node)}
        return [skeleton.filled(names) for skeleton in self.skeletons(query)]

    def skeletons(self, query: GraphQuery) -> tuple[Skeleton, ...]:
        """The wordings of a query before its names: the same for all groundings of a template."""
        key = opened(query)
        if key not in self._skeletons:
            self._skeletons[key] = skeletons(query_tree(key, self.vocabulary), self.vocabulary)
        return self._skeletons[key]

    def name_of(self, node: GraphNode) -> str:
        """What a leaf is called in a question: its name for people, what the facts call it, or what its name says."""
        if node.value is None:
            return (self.vocabulary.noun(node.of_class) or node.kind).translate(_BRACKETS)
        if node.value.kind == LITERAL:
            name = node.value.text
        else:
            name = node.name or self.vocabulary.label(node.value) or last_name(node.value.text)
        return " ".join(name.translate(_BRACKETS).split()) or node.kind


def last_name(text: str) -> str:
    """What an entity without a label is called: its name, or the end of its IRI.

    >>> last_name("http://example.org/Ang_Lee"), last_name("m.0jcx"), last_name("Mr. Smith")
    ('Ang Lee', 'm.0jcx', 'Mr. Smith')
    """
    return (last_part(text) if "://" in text else text).replace("_", " ")


def graph_of(asked: GraphQuery | OfTemplate | Grounded) -> GraphQuery:
    """The graph query of a template or a grounding, or the query itself."""
    if isinstance(asked, GraphQuery):
        return asked
    return asked.form if hasattr(asked, "form") else asked.query


def is_named(node: GraphNode) -> bool:
    """Whether a node stands in a question by its name: an entity or a value, and not the place of a superlative."""
    return node.kind != "class" and node.function not in (ARGMAX, ARGMIN)


def opened(query: GraphQuery) -> GraphQuery:
    """A query without the values of its leaves; a literal keeps its type."""
    nodes = tuple(
        node if node.kind == "class" else replace(node, value=None, name="", of_class=_type_of(node))
        for node in query.nodes
    )
    return replace(query, nodes=nodes)


def _type_of(node: GraphNode) -> Term | None:
    if node.of_class is None and node.value is not None and node.value.kind == LITERAL and node.value.datatype:
        return Term.iri(node.value.datatype)
    return node.of_class
