"""Entities of a knowledge base in the placeholders of questions, and their answers (CFQ paper, section 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.grounding.asked_query import ASKS_NOTHING, NEVER_FALSE, NO_NAMES, SEARCH_ENDED, UNSATISFIABLE
from recombine.kb.grounding.entity_names import LANGUAGE
from recombine.kb.grounding.grounded import Grounded, Ungrounded
from recombine.kb.grounding.grounding_filters import NO_FILTERS
from recombine.kb.grounding.local_engine import LocalEngine
from recombine.kb.grounding.query_terms import asks_nothing, names_of, query_terms
from recombine.kb.grounding.remote_engine import RemoteEngine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np

    from recombine.grammars.unification.generation.made_question import MadeQuestion
    from recombine.kb.grounding.asked_query import AskedQuery
    from recombine.kb.grounding.grounding_filters import GroundingFilters
    from recombine.kb.store import Store

YES, NO = "Yes", "No"
SATISFYING, MIXED, GENERIC = "satisfying", "mixed", "generic"
MIXTURES = 8
"""So many times entities of another substitution are mixed in before more generic ones are tried."""


class Grounder:
    """Grounds questions in one knowledge base.

    Every question takes the same entities for the same state of the generator. A local store is asked by joins over
    sorted pairs, an endpoint by SPARQL. A closed question is made in two variants, one that holds and one that does
    not, of which one is taken with even chances; one that has no false variant is dropped.
    """

    def __init__(
        self,
        store: Store,
        *,
        names: Mapping[str, str] | None = None,
        filters: GroundingFilters | None = None,
        language: str = LANGUAGE,
    ) -> None:
        """`names` are the names of entities by their ids, where the store's labels are not to be used."""
        self.engine: Any
        if isinstance(store, EndpointStore):
            self.engine = RemoteEngine(store, names=names, language=language)
        else:
            self.engine = LocalEngine(store, names=names, language=language)
        self._filters = NO_FILTERS if filters is None else filters
        self._lacks: dict[tuple[str, bool], bool] = {}

    def lacking(self, properties: Iterable[str], types: Iterable[str]) -> list[str]:
        """Those of some properties and types that no fact has, in their order."""
        lacks = [name for name in properties if self._is_lacking(name, is_type=False)]
        return lacks + [name for name in types if self._is_lacking(name, is_type=True)]

    def _is_lacking(self, name: str, *, is_type: bool) -> bool:
        known = self._lacks.get((name, is_type))
        if known is None:
            known = self._lacks[name, is_type] = self.engine.lacks(name, is_type=is_type)
        return known

    def ground(self, question: MadeQuestion, rng: np.random.Generator) -> Grounded | Ungrounded:
        """The question with entities and its answer, or why it is dropped."""
        if asks_nothing(question.query):
            return Ungrounded(ASKS_NOTHING)
        terms = query_terms(question.query)
        lacks = self.lacking(*names_of(terms))
        if lacks:
            return Ungrounded(f"lacks:{lacks[0]}")
        asked = self.engine.asked(question.query, terms)
        entities = asked.draw(rng)
        if isinstance(entities, str):
            return Ungrounded(self._reason(question, entities, rng))
        if terms.asked is not None:
            answers = asked.answers(entities)
            if answers is None:
                return Ungrounded(SEARCH_ENDED)
            return self._grounded(entities, tuple(answers), SATISFYING)
        false = false_variant(asked, entities, rng)
        if false is None:
            return Ungrounded(NEVER_FALSE)
        if rng.random() < 0.5:
            return self._closed(entities, YES, SATISFYING)
        return self._closed(*false)

    def _reason(self, question: MadeQuestion, reason: str, rng: np.random.Generator) -> str:
        """The reason why no entities were drawn; it is names where entities without names would do."""
        if reason != UNSATISFIABLE or not isinstance(self.engine, LocalEngine):
            return reason
        again = self.engine.asked(question.query, query_terms(question.query), any_name=True).draw(rng)
        return again if isinstance(again, str) else NO_NAMES

    def _grounded(self, entities: Mapping[str, Any], answers: tuple[Any, ...], origin: str) -> Grounded | Ungrounded:
        dropped = self._filters.reason(entities, answers)
        if dropped is not None:
            return Ungrounded(f"filtered:{dropped}")
        ids = tuple(map(self.engine.id_of, answers))
        names = tuple(self.engine.name_of(each) or own for each, own in zip(answers, ids, strict=True))
        return Grounded(self._ids(entities), self._names(entities), ids, names, origin)

    def _closed(self, entities: Mapping[str, Any], answer: str, origin: str) -> Grounded:
        return Grounded(self._ids(entities), self._names(entities), (answer,), (answer,), origin)

    def _ids(self, entities: Mapping[str, Any]) -> dict[str, str]:
        return {placeholder: self.engine.id_of(entity) for placeholder, entity in entities.items()}

    def _names(self, entities: Mapping[str, Any]) -> dict[str, str]:
        return {placeholder: self.engine.name_of(entity) for placeholder, entity in entities.items()}


def false_variant(
    asked: AskedQuery[Any], entities: Mapping[str, Any], rng: np.random.Generator
) -> tuple[dict[str, Any], str, str] | None:
    """Other entities that do not satisfy a closed query, with `No` and where they come from; none where none are found.

    Some of the entities of another substitution are mixed in, which part at random. Where that holds each time, one
    entity is replaced by a more generic one.
    """
    placeholders = list(entities)
    for _ in range(MIXTURES if len(placeholders) > 1 else 0):
        other = asked.draw(rng)
        if isinstance(other, str):
            break
        part = int(rng.integers(1, (1 << len(placeholders)) - 1))
        mixed = {name: other[name] if part >> place & 1 else entities[name] for place, name in enumerate(placeholders)}
        if _is_false(asked, mixed, entities):
            return mixed, NO, MIXED
    for place in rng.permutation(len(placeholders)).tolist():
        name = placeholders[place]
        for entity in asked.iter_generic(name, entities[name], rng):
            replaced = {**entities, name: entity}
            if _is_false(asked, replaced, entities):
                return replaced, NO, GENERIC
    return None


def _is_false(asked: AskedQuery[Any], entities: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    if entities == before or len(set(entities.values())) < len(entities):
        return False
    return asked.holds(entities) is False
