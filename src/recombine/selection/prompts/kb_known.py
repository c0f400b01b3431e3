"""What a prompt says of a question over a knowledge base: its entities, and the schema near them, most useful first.

Relations and classes come in the order of how many words of the question are in their names; those of a relation are
also the words of the classes at its ends. Of equal ones the nearer come first, then those whose names sort first. At
most so many of each are listed, and how many there are is said. Examples have their entities alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError, UnknownNameError
from recombine.kb.forms.form import SPARQL
from recombine.kb.forms.sexpression_words import write_word
from recombine.kb.linking.context_words import name_stems, stems_of
from recombine.kb.linking.words import folded_words
from recombine.kb.names.names_of import names_of
from recombine.kb.term import LITERAL
from recombine.selection.prompts.linked import Linked, gold_linked
from recombine.selection.prompts.question import Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term
    from recombine.records.example import Example
    from recombine.selection.prompts.near_schema import Near, NearSchema
    from recombine.selection.prompts.question import Question

ENTITIES, RELATIONS, CLASSES = "Entities", "Relations", "Classes"


@dataclass
class KbCounts:
    """What prompts lack or leave out."""

    without_link: list[str] = field(default_factory=list)
    """Questions in which nothing is linked."""
    unpruned: list[str] = field(default_factory=list)
    """Questions that no linked entity prunes the schema of."""
    unknown: dict[str, str] = field(default_factory=dict)
    """Questions with links to what no fact has, each with the first of them."""
    cut: int = 0
    """Questions near which there is more of the schema than is listed."""
    items_cut: int = 0
    covered: int = 0
    """Questions of which all relations and classes of the gold form are listed."""
    comparable: int = 0
    """Questions whose gold form says its relations and classes."""


class KbKnown:
    """What is said of questions and examples; `most` is how many relations, and how many classes, are listed."""

    def __init__(
        self,
        links: Mapping[str, Linked],
        schema: NearSchema | None,
        profile: Profile,
        *,
        language: str | None,
        notation: str | None,
        most: int,
    ) -> None:
        self._links, self._schema, self._profile = links, schema, profile
        self._language, self._notation, self._most = language, notation, most
        self._stems: dict[Term, frozenset[str]] = {}
        self._needed: dict[str, frozenset[tuple[str, str]]] = {}
        self.counts = KbCounts()

    @property
    def titles(self) -> tuple[str, ...]:
        """What is listed below a question."""
        return (ENTITIES,) if self._schema is None or not self._most else (ENTITIES, RELATIONS, CLASSES)

    def of_example(self, example: Example) -> tuple[Known, ...]:
        """The entities of an example that is shown, by its own data; nothing where it does not say them."""
        try:
            linked = gold_linked(example, self._language, self._profile)
        except RecombineError:
            return ()
        return (self._entities(linked),)

    def of_question(self, example: Example) -> tuple[Known, ...]:
        """The entities of a question as they are linked, and the schema near them."""
        linked = self._links.get(example.id, Linked())
        if not linked.terms:
            self.counts.without_link.append(example.id)
        if self._schema is None or not self._most:
            return (self._entities(linked),)
        near = self._schema.near(linked)
        if not near.pruned:
            self.counts.unpruned.append(example.id)
        if near.unknown:
            self.counts.unknown[example.id] = self._profile.show(near.unknown[0])
        relations, classes = self._ranked(example.source, near)
        self._count(example, relations, classes)
        return (
            self._entities(linked),
            Known.of(RELATIONS, tuple(map(self._relation, relations)), self._most),
            Known.of(CLASSES, tuple(map(self._word, classes)), self._most),
        )

    # -- order and counts ----------------------------------------------------------------------------------------------

    def _ranked(self, question: str, near: Near) -> tuple[list[Term], list[Term]]:
        asked = stems_of(folded_words(question))
        relations = sorted(
            near.relations, key=lambda term: (-len(asked & self._all_stems(term)), near.relations[term], term.key)
        )
        return relations, sorted(near.classes, key=lambda term: (-len(asked & self._name(term)), term.key))

    def _all_stems(self, relation: Term) -> frozenset[str]:
        return self._name(relation).union(*(self._name(name) for side in self._ends(relation) for name in side))

    def _name(self, term: Term) -> frozenset[str]:
        if term not in self._stems:
            self._stems[term] = name_stems(short_name(term))
        return self._stems[term]

    def _count(self, example: Example, relations: list[Term], classes: list[Term]) -> None:
        beyond = sum(max(len(each) - self._most, 0) for each in (relations, classes))
        self.counts.cut += bool(beyond)
        self.counts.items_cut += beyond
        beside: dict[str, Any] = {**example.tags, **example.context}
        try:
            named = names_of(example.target, self._language, beside, self._profile)
        except RecombineError:
            return
        relations_needed = {(RELATIONS, self._relation(term)) for term in named.relations}
        self._needed[example.id] = frozenset(relations_needed | {(CLASSES, self._word(term)) for term in named.classes})

    def count_covered(self, questions: Iterable[Question]) -> None:
        """Count the questions, as they are asked in the end, that list all relations and classes of the gold form."""
        for question in questions:
            if question.id in self._needed:
                listed = {(known.title, item) for known in question.known for item in known.items}
                self.counts.comparable += 1
                self.counts.covered += self._needed[question.id] <= listed

    # -- texts ---------------------------------------------------------------------------------------------------------

    def _entities(self, linked: Linked) -> Known:
        return Known.of(ENTITIES, tuple(self._entity(term, said) for term, said in linked.terms))

    def _entity(self, term: Term, said: str) -> str:
        word = self._word(term)
        return word if said in ("", word) else f"{' '.join(said.split())}: {word}"

    def _relation(self, relation: Term) -> str:
        sides = [" or ".join(map(short_name, side)) or "?" for side in self._ends(relation)]
        return self._word(relation) if set(sides) == {"?"} else f"{self._word(relation)} ({' -> '.join(sides)})"

    def _ends(self, relation: Term) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """What a relation leads from and to; nothing where that is not known."""
        ontology = None if self._schema is None else self._schema.ontology
        try:
            return ((), ()) if ontology is None else (ontology.domain(relation), ontology.range(relation))
        except UnknownNameError:
            return (), ()

    def _word(self, term: Term) -> str:
        """A term as answers write it."""
        if self._notation != SPARQL:
            return write_word(term, self._profile)
        if term.kind != LITERAL:
            return f"<{self._profile.expand(term)}>"
        quoted = self._profile.show(type(term).literal(term.text))
        return f"{quoted}^^<{term.datatype}>" if term.datatype else self._profile.show(term)


def short_name(term: Term) -> str:
    """The name of a term as people say it: of an IRI what stands after its last `/` or `#`.

    >>> from recombine.kb.term import Term
    >>> short_name(Term.name("https://town.example/transport/Route")), short_name(Term.name("film.film"))
    ('Route', 'film.film')
    """
    return re.split(r"[#/]", term.text.rstrip("#/"))[-1] if "://" in term.text else term.text
