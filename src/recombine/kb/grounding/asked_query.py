"""What the two engines of grounding have in common: a query that can be asked with entities in its placeholders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np

    from recombine.grammars.unification.queries.query_text import QueryText
    from recombine.kb.grounding.query_terms import QueryTerms

Entity = TypeVar("Entity")

GENERIC_DRAWS = 32
"""So many entities are drawn of each set of more generic ones, each once."""

UNSATISFIABLE = "unsatisfiable"
SEARCH_ENDED = "search_ended"
"""The reason where the budget of the search ended: the query may be satisfiable."""
NO_NAMES = "no_unambiguous_names"
NEVER_FALSE = "never_false"
ASKS_NOTHING = "asks_nothing"
"""The reason where a question names what it asks for, as "Which film was M0" does, or says nothing of it."""


def places_drawn(number: int, rng: np.random.Generator) -> list[int]:
    """Some of so many places, in random order, each once."""
    if number <= 4 * GENERIC_DRAWS:
        return rng.permutation(number)[:GENERIC_DRAWS].tolist()  # type: ignore[no-any-return]
    return list(dict.fromkeys(rng.integers(number, size=GENERIC_DRAWS).tolist()))


class AskedQuery(Protocol[Entity]):
    """A query over a knowledge base."""

    def draw(self, rng: np.random.Generator) -> dict[str, Entity] | str:
        """Entities with unambiguous names that satisfy the query, drawn at random, or the reason for none."""

    def holds(self, entities: Mapping[str, Entity]) -> bool | None:
        """Whether entities satisfy the query; none where that was not found out within the budget."""

    def answers(self, entities: Mapping[str, Entity]) -> Sequence[Entity] | None:
        """What an open query asks for, in the order of keys; none where that was not found out within the budget."""

    def iter_generic(self, placeholder: str, entity: Entity, rng: np.random.Generator) -> Iterator[Entity]:
        """Entities that meet less and less of what is asked of a placeholder in the place of one, drawn at random."""


class Engine(Protocol[Entity]):
    """A way to ask queries of a knowledge base."""

    def asked(self, query: QueryText, terms: QueryTerms) -> AskedQuery[Entity]:
        """A query, ready to be asked."""

    def lacks(self, name: str, *, is_type: bool) -> bool:
        """Whether no fact has a property, or a type."""

    def id_of(self, entity: Entity) -> str:
        """The id of an entity as the profile shortens it."""

    def name_of(self, entity: Entity) -> str | None:
        """The name of an entity, if it has one."""
