"""Grounding by SPARQL alone, for knowledge bases behind an address.

The combinations of entities that satisfy a query are asked for, `MOST_ROWS` at most; they are sorted, and one is drawn,
each with the same probability. Where the endpoint has more, it decides which of them are seen.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from recombine.grammars.unification.queries.query_text import FILTER, QueryText
from recombine.kb.grounding.asked_query import NO_NAMES, UNSATISFIABLE, places_drawn
from recombine.kb.grounding.entity_names import LANGUAGE, is_of_language, is_readable
from recombine.kb.grounding.property_path import TYPE, constant_term, read_property, written_path
from recombine.kb.grounding.query_sparql import asking_query, group, substitutions_query
from recombine.kb.grounding.query_terms import is_placeholder
from recombine.kb.term import IRI, NAME, Term
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np

    from recombine.kb.grounding.query_terms import QueryTerms
    from recombine.kb.store import Store

MOST_ROWS = 1000
RESOURCES = (NAME, IRI)
_NAMED_DRAWS = 32
"""So many combinations are looked at for names of their own."""
_VALUES = 200
"""So many terms stand in one query."""


class RemoteEngine:
    """Queries by SPARQL; answers about names are kept for the time of the engine."""

    def __init__(
        self,
        store: Store,
        *,
        names: Mapping[str, str] | None = None,
        language: str = LANGUAGE,
        most_rows: int = MOST_ROWS,
    ) -> None:
        self.store = store
        self.most_rows = most_rows
        self._language = language
        self._labels: dict[Term, list[str]] = {}
        self._bearers: dict[str, set[Term]] = {}
        self._given: dict[Term, str] | None = None
        if names is not None:
            self._given = {store.profile.term(text): name for text, name in names.items()}
            for entity, name in self._given.items():
                self._bearers.setdefault(name, set()).add(entity)

    def asked(self, query: QueryText, terms: QueryTerms) -> RemoteQuery:
        """A query, ready to be asked."""
        return RemoteQuery(self, query, terms)

    def lacks(self, name: str, *, is_type: bool) -> bool:
        """Whether no fact has a property, or a type."""
        profile = self.store.profile
        path = written_path(read_property(TYPE if is_type else name, profile), profile.base)
        target = written_term(constant_term(name, profile), profile.base) if is_type else "?o"
        return not self.store.ask(f"ASK {{ ?s {path} {target} }}")

    def id_of(self, entity: Term) -> str:
        """The id of an entity as the profile shortens it."""
        return entity.text if entity.kind == NAME else self.store.profile.show(entity)

    def name_of(self, entity: Term) -> str | None:
        """The name of an entity: one that is known to be its own alone, or else its first, if it has any."""
        if self._given is not None:
            return self._given.get(entity)
        self.learn_labels([entity])
        names = self._labels[entity]
        return next((name for name in names if self._is_alone(entity, name)), names[0] if names else None)

    def are_named(self, entities: Sequence[Term]) -> bool:
        """Whether each of some entities has a name of its own alone."""
        if self._given is None:
            self.learn_labels(entities)
            self._learn_bearers(name for entity in entities for name in self._labels[entity])
        names = [(entity, self.name_of(entity)) for entity in entities]
        return all(name is not None and self._is_alone(entity, name) for entity, name in names)

    def learn_labels(self, entities: Iterable[Term]) -> None:
        """Ask for the labels of some entities: by predicate, those of the language before those of none."""
        if self._given is not None:
            return
        new = sorted({entity for entity in entities if entity not in self._labels})
        self._labels.update({entity: [] for entity in new})
        resources = [entity for entity in new if entity.kind in RESOURCES]
        for predicate in self.store.profile.predicates("label"):
            said = self._asked_by("e", resources, predicate)
            for entity, label in sorted(said, key=lambda row: (row[0], not row[1].language, row[1].key)):
                self._labels[entity].append(label.text)

    def _learn_bearers(self, names: Iterable[str]) -> None:
        """Ask for all that are called by some names."""
        new = sorted(set(names) - self._bearers.keys())
        self._bearers.update({name: set() for name in new})
        labels = [Term.literal(name, language=language) for name in new for language in ("", self._language)]
        for predicate in self.store.profile.predicates("label"):
            for bearer, label in self._asked_by("n", labels, predicate):
                self._bearers[label.text].add(bearer)

    def _asked_by(self, variable: str, values: list[Term], predicate: Term) -> list[tuple[Term, Term]]:
        """The entities and labels of a predicate where one of the two is among some values."""
        base = self.store.profile.base
        rows: list[tuple[Term, Term]] = []
        for first in range(0, len(values), _VALUES):
            texts = " ".join(written_term(each, base) for each in values[first : first + _VALUES])
            where = f"VALUES ?{variable} {{ {texts} }} ?e {written_term(predicate, base)} ?n"
            table = self.store.select(f"SELECT DISTINCT ?e ?n WHERE {{ {where} }}")
            rows += [(entity, label) for entity, label in table.rows if entity is not None and label is not None]
        return [(entity, label) for entity, label in rows if is_of_language(label, self._language)]

    def _is_alone(self, entity: Term, name: str) -> bool:
        return self._bearers.get(name) == {entity} and is_readable(name)


class RemoteQuery:
    """A query by SPARQL."""

    def __init__(self, engine: RemoteEngine, query: QueryText, terms: QueryTerms) -> None:
        self._engine = engine
        self._store = engine.store
        self._query = query
        self._terms = terms

    @cached_property
    def _rows(self) -> list[tuple[Term, ...]]:
        """The combinations of entities, sorted."""
        query = substitutions_query(
            self._query, self._terms.placeholders, self._store.profile, limit=self._engine.most_rows
        )
        rows = self._store.select(query).rows
        whole = [tuple(term for term in row if term is not None) for row in rows]
        return sorted((row for row in whole if all(term.kind in RESOURCES for term in row)), key=_keys)

    def draw(self, rng: np.random.Generator) -> dict[str, Term] | str:
        """Entities that satisfy the query, or why there are none."""
        placeholders = self._terms.placeholders
        if not placeholders:
            where = group(self._query, {}, self._store.profile)
            return {} if self._store.ask(f"ASK {where}") else UNSATISFIABLE
        if not self._rows:
            return UNSATISFIABLE
        for place in rng.permutation(len(self._rows))[:_NAMED_DRAWS].tolist():
            row = self._rows[place]
            if self._engine.are_named(row):
                return dict(zip(placeholders, row, strict=True))
        return NO_NAMES

    def holds(self, entities: Mapping[str, Term]) -> bool:
        """Whether entities satisfy the query."""
        return self._store.ask(f"ASK {group(self._query, entities, self._store.profile)}")

    def answers(self, entities: Mapping[str, Term]) -> Sequence[Term]:
        """What the query asks for, in the order of keys."""
        rows = self._store.select(asking_query(self._query, entities, self._store.profile)).rows
        answers = sorted({row[0] for row in rows if row[0] is not None}, key=lambda term: term.key)
        self._engine.learn_labels(answers)
        return answers

    def iter_generic(self, placeholder: str, entity: Term, rng: np.random.Generator) -> Iterator[Term]:
        """Entities that meet each condition by itself, then any of them at least in part, then those of a same type."""
        clauses = [clause for clause in self._query.clauses if clause[0] != FILTER and placeholder in clause]
        if clauses:
            yield from self._iter_named(
                placeholder, [_alone(clause, placeholder, number) for number, clause in enumerate(clauses)], rng
            )
            for clause in clauses:
                yield from self._iter_named(placeholder, [_alone(clause, placeholder, 0, loose=True)], rng)
        base = self._store.profile.base
        rows = self._store.select(f"SELECT DISTINCT ?t WHERE {{ {written_term(entity, base)} a ?t }}").rows
        types = sorted((row[0] for row in rows if row[0] is not None), key=lambda term: term.key)
        for place in rng.permutation(len(types)).tolist():
            yield from self._iter_named(placeholder, [[placeholder, TYPE, self._engine.id_of(types[place])]], rng)

    def _iter_named(self, placeholder: str, clauses: list[list[str]], rng: np.random.Generator) -> Iterator[Term]:
        query = QueryText(self._query.head, clauses)
        asked = substitutions_query(query, (placeholder,), self._store.profile, limit=self._engine.most_rows)
        terms = [row[0] for row in self._store.select(asked).rows if row[0] is not None]
        entities = sorted((term for term in terms if term.kind in RESOURCES), key=lambda term: term.key)
        for place in places_drawn(len(entities), rng):
            entity = entities[place]
            if self._engine.are_named([entity]):
                yield entity


def _alone(clause: list[str], placeholder: str, number: int, *, loose: bool = False) -> list[str]:
    """A clause with variables of its own for all terms but a placeholder, if so wanted for constants too."""

    def word(each: str) -> str:
        if each == placeholder:
            return each
        free = each.startswith("?") or is_placeholder(each) or (loose and clause[1] != TYPE)
        return f"?other{number}" if free else each

    subject, path, target = clause
    return [word(subject), path, word(target)]


def _keys(row: tuple[Term, ...]) -> tuple[str, ...]:
    return tuple(term.key for term in row)
