"""A profile: what the names of a knowledge base look like, and which of its predicates say what."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import KnowledgeBaseError
from recombine.kb.base_names import iri_of_name, named
from recombine.kb.profiles.typed_term import read_term, show_term
from recombine.kb.term import IRI, NAME, Term

if TYPE_CHECKING:
    from collections.abc import Mapping

ROLES = ("type", "subclass", "label", "alias", "reverse", "domain", "range", "mediator")
"""What a predicate may say, each a field of a profile."""
ANY_NAME = ".+"
"""The look of an entity that tells nothing."""
STATEMENT_PARTS = ("claim", "value", "qualifier", "direct", "constraint", "domain", "range", "class")
"""What a profile may say of statements with qualifiers."""


@dataclass(frozen=True)
class Profile:
    """What a profile's file says. A predicate is given by its name under the base, or by a prefixed name or IRI.

    >>> plain = Profile("plain", "http://example.org/", {"rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#"})
    >>> plain.term("rdf:type").text
    'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
    >>> plain.expand(plain.term("Ang Lee"))
    'http://example.org/Ang%20Lee'
    """

    name: str
    base: str
    """The IRI stem under which names stand."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    entity: str = ANY_NAME
    """A regular expression that the whole name of an entity matches."""
    type: tuple[str, ...] = ()
    subclass: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    reverse: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    alias: tuple[str, ...] = ()
    """Predicates of further names."""
    mediator: tuple[str, ...] = ()
    """Predicates that say of a class, by a truth value, that its things are nodes in the middle of facts."""
    schema_domain: str = ""
    """A regular expression whose first group is the domain of a schema item's name (`film` of `film.director.film`)."""
    literal: str = ""
    """A regular expression that the whole name of a class of literals matches (`type.float`), besides XSD's types."""
    class_look: str = ""
    """A regular expression that the names of classes match, where they look like entities (Wikidata's `Q5`)."""
    statements: Mapping[str, str] = field(default_factory=dict)
    """Where a fact may be a node with qualifiers: the prefixes by which an entity leads to it (`claim`), it to its
    value (`value`) and to its qualifiers (`qualifier`), and the short way from entity to value (`direct`); and the
    predicate of constraints, the items of those of domain and range, and the qualifier with their classes."""

    def term(self, text: str) -> Term:
        """The term that a person names: `<IRI>`, `prefix:local`, `"literal"@en`, `_:node`, else a name."""
        return read_term(text, self)

    def show(self, term: Term) -> str:
        """The text that names a term, which `term` takes back to it."""
        return show_term(term, self)

    def expand(self, term: Term) -> str:
        """The IRI of a resource."""
        if term.kind == NAME:
            return iri_of_name(term.text, self.base)
        if term.kind == IRI:
            return term.text
        raise KnowledgeBaseError(f"{self.show(term)} is no resource and has no IRI", "give a name or an IRI")

    def shorten(self, iri: str) -> Term:
        """The resource of an IRI: by its name where it has one under the base."""
        return named(Term.iri(iri), self.base)

    def predicates(self, role: str) -> tuple[Term, ...]:
        """The predicates that say a thing, one of `ROLES`, in the order of the profile."""
        texts: tuple[str, ...] = getattr(self, role)
        return tuple(self.term(text) for text in texts)

    @cached_property
    def schema_predicates(self) -> frozenset[Term]:
        """The predicates that say what things are, how they are called, and what classes and relations there are."""
        return frozenset(predicate for role in ROLES for predicate in self.predicates(role))

    def is_entity(self, term: Term) -> bool:
        """Whether a term looks like an entity: a resource whose whole name the profile's pattern matches.

        Where the look tells nothing, a resource by its whole IRI does too: a file may be under a stem of its own.
        """
        if term.kind == IRI:
            return self.entity == ANY_NAME
        return term.kind == NAME and self._entity.fullmatch(term.text) is not None

    @property
    def tells_entities(self) -> bool:
        """Whether the look of a name tells an entity from a class."""
        return self.entity != ANY_NAME and not self.class_look

    def is_literal_class(self, term: Term) -> bool:
        """Whether a class is one of literals: a type of XSD, or one that the profile's pattern matches."""
        if term.kind == IRI:
            return term.text.startswith(("http://www.w3.org/2001/XMLSchema#", _LANGUAGE_STRING, _RDFS_LITERAL))
        return term.kind == NAME and bool(self.literal) and re.fullmatch(self.literal, term.text) is not None

    def domain_of(self, term: Term) -> str:
        """The domain of a schema item by its name, `film` of `film.director.film`; empty where names do not say it."""
        if term.kind != NAME or not self.schema_domain:
            return ""
        match = re.fullmatch(self.schema_domain, term.text)
        return match[1] if match is not None else ""

    @cached_property
    def _entity(self) -> re.Pattern[str]:
        return re.compile(self.entity, re.DOTALL)


_LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_RDFS_LITERAL = "http://www.w3.org/2000/01/rdf-schema#Literal"
