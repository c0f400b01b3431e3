"""The nouns of classes and the words of relations of a knowledge base: from the grammar, the facts, or the names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.form import NONE
from recombine.kb.term import IRI, LITERAL, NAME
from recombine.kb.wording.name_words import JOIN, last_part, plain_name
from recombine.kb.wording.query_tree import DATE, NUMBER, TEXT, TreeNode
from recombine.kb.wording.relation_words import RelationReader

if TYPE_CHECKING:
    from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Store
    from recombine.kb.term import Term
    from recombine.kb.wording.relation_words import RelationWords
    from recombine.kb.wording.word_grammar import WordGrammar

LANGUAGE = "en"


class Vocabulary:
    """What things are called. A name for people that a query carries goes before what the facts say, and that before
    what can be read off a name; the grammar goes before all.
    """

    def __init__(self, store: Store | None, ontology: Ontology | None, grammar: WordGrammar) -> None:
        self.store, self.ontology, self.grammar = store, ontology, grammar
        self.reader = RelationReader(grammar)
        self.english = self.reader.english
        self._words: dict[tuple[Term, str, bool], RelationWords] = {}
        self._labels: dict[Term, str] = {}
        self._people = grammar.word_set("people")
        self._mediators = grammar.word_set("mediators")
        self._date_types = frozenset(grammar.values["words"]["date_types"])
        self._number_types = frozenset(grammar.values["words"]["number_types"])
        self._date_nouns = frozenset(grammar.values["words"]["date_nouns"])

    def label(self, term: Term) -> str:
        """What the facts call a thing, in English or in no language; empty where they do not."""
        if term not in self._labels:
            self._labels[term] = self._find_label(term)
        return self._labels[term]

    def noun(self, term: Term | None, name: str = "") -> str:
        """The noun of a class, of one; empty for none."""
        if term is None:
            return ""
        if (given := self.grammar.classes.get(plain_name(term.text))) is not None:
            return given
        words = self.reader.words_of(name or self.label(term) or last_part(term.text))
        return self.english.singular(" ".join(words)) if words else "thing"

    def node(self, query: GraphQuery, place: int) -> TreeNode:
        """A node of a query, with nothing on it as yet."""
        node = query.nodes[place]
        if node.kind == "class":
            noun = self.noun(node.value, node.name)
            return TreeNode(place, noun, node.kind, node.function, person=self._is_person(node.value, noun))
        noun = self.noun(node.of_class)
        return TreeNode(place, noun, node.kind, node.function, self._value(query, place))

    def words(self, edge: GraphEdge, *, literal: bool) -> RelationWords:
        """The words of an edge's relation."""
        key = (edge.relation, edge.name, literal)
        if key not in self._words:
            self._words[key] = self._find_words(edge.relation, edge.name, literal=literal)
        return self._words[key]

    def reverse_words(self, relation: Term) -> RelationWords | None:
        """The words of the relation that says the same the other way round, turned; none where there is none."""
        other = self.ontology.reverse(relation) if self.ontology is not None else None
        if other is None or other == relation:
            return None
        key = (other, "", False)
        if key not in self._words:
            self._words[key] = self._find_words(other, "", literal=False)
        return self._words[key].turned()

    def joined(self, edge: GraphEdge, *, literal: bool) -> tuple[RelationWords, RelationWords, str] | None:
        """The words of both relations of one that joins two, and the noun between; none where it is one."""
        name = plain_name(edge.relation.text)
        if JOIN not in name or edge.relation.kind != NAME or name in self.grammar.relations:
            return None
        first, second = (self.reader.words_of(last_part(part)) for part in name.split(JOIN, 1))
        noun, other = self._middle(first), self.english.singular(" ".join(_bare(second)))
        if not noun or noun == other or other.endswith(f" {noun}"):
            return None
        return self.reader.read(first), self.reader.read(second, literal=literal), noun

    def _middle(self, words: list[str]) -> str:
        """The noun of the node that a relation leads to, by the relation: `person` of `people_with_this_degree`."""
        if "this" in words[2:]:
            words = words[: words.index("this") - 1]
        return self.english.singular(" ".join(_bare(words)))

    def implied(self, relation: Term, node: GraphNode, *, subject: bool) -> bool:
        """Whether a relation says the class of what it leads from (or, with `subject` false, to)."""
        term = node.value if node.kind == "class" else node.of_class
        if term is None:
            return True
        known = self.ontology
        if known is None or not (relation in known.relations or known.reverse(relation) is not None):
            return False
        return known.implies(relation, term, inverse=not subject)

    def is_fact(self, node: GraphNode) -> bool:
        """Whether a node stands for a fact, as an ownership does, by its noun."""
        return node.kind == "class" and self.noun(node.value, node.name).split(" ")[-1] in self._mediators

    def _find_words(self, relation: Term, name: str, *, literal: bool) -> RelationWords:
        plain = plain_name(relation.text)
        text = name or self.label(relation) or last_part(plain)
        words = self.reader.words_of(text)
        if JOIN in plain and not name:  # one noun for both: several where the first is that of several
            first = self.reader.words_of(last_part(plain.split(JOIN, 1)[0]))
            words += ["s"] * (first[-1:] == ["s"] or self.english.is_plural(" ".join(first)))
        default = self.reader.read(words, literal=literal)
        given = self.grammar.relations.get(plain)
        return default if given is None else self.reader.given(given, default)

    def _find_label(self, term: Term) -> str:
        if self.store is None or term.kind not in (NAME, IRI):
            return ""
        for each in (term, self._property(term)):
            if each is None:
                continue
            for predicate in self.store.profile.predicates("label"):
                labels = [label for label in self.store.neighbours(each, predicate) if label.kind == LITERAL]
                named = [label for label in labels if label.language in ("", LANGUAGE) and label.text.strip()]
                if named:
                    return min(named, key=lambda label: (not label.language, label.key)).text.strip()
        return ""

    def _property(self, term: Term) -> Term | None:
        """The item that stands for a relation where relations have several ways, as Wikidata's `wdt:P57`."""
        if self.store is None or term.kind != IRI:
            return None
        profile = self.store.profile
        stems = [profile.prefixes[stem] for stem in profile.statements.values() if stem in profile.prefixes]
        stem = max((stem for stem in stems if term.text.startswith(stem)), key=len, default=None)
        return None if stem is None else profile.shorten(profile.base + term.text[len(stem) :])

    def _is_person(self, term: Term | None, noun: str) -> bool:
        if term is None or noun.split(" ")[-1] in self._people:
            return term is not None
        above = self.ontology.ancestors(term) if self.ontology is not None else ()
        return any(self.noun(each) in ("person", "human") for each in above)

    def _value(self, query: GraphQuery, place: int) -> str:
        """What kind of value a literal is, by its type; where a superlative has none, by the relation's noun."""
        node = query.nodes[place]
        if node.kind != "literal":
            return ""
        known = [node.value.datatype] if node.value is not None else []
        known += [node.of_class.text] if node.of_class is not None else []
        for name in map(last_part, filter(None, known)):
            if name in self._date_types:
                return DATE
            if name in self._number_types:
                return NUMBER
        if any(known):
            return TEXT
        edge = next(edge for edge in query.edges if place in (edge.start, edge.end))
        words = self.reader.words_of(edge.name or last_part(edge.relation.text))
        dated = any(word in self._date_nouns for word in words)
        return TEXT if node.function == NONE else DATE if dated else NUMBER


def _bare(words: list[str]) -> list[str]:
    """Words without the mark of several, `owner_s`."""
    return words[:-1] if words[-1:] == ["s"] else words
