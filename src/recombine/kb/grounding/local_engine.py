"""Grounding over an embedded index, and over any other local store by an index of its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.embedded.cached_index import cached_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.grounding.entity_names import LANGUAGE, entity_names
from recombine.kb.grounding.local_query import LocalQuery
from recombine.kb.grounding.pair_sets import PairSets
from recombine.kb.term import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from recombine.grammars.unification.queries.query_text import QueryText
    from recombine.kb.grounding.query_terms import QueryTerms
    from recombine.kb.store import Store

_ROWS = 1 << 16


class LocalEngine:
    """Queries over the pairs of an index."""

    def __init__(self, store: Store, *, names: Mapping[str, str] | None = None, language: str = LANGUAGE) -> None:
        self.store = indexed(store)
        self.sets = PairSets(self.store)
        self.names = entity_names(self.store, names, language)

    def asked(self, query: QueryText, terms: QueryTerms, *, any_name: bool = False) -> LocalQuery:
        """A query, ready to be asked."""
        del query
        return LocalQuery(self.sets, terms, None if any_name else self.names.unambiguous)

    def lacks(self, name: str, *, is_type: bool) -> bool:
        """Whether no fact has a property, or a type."""
        return not len(self.sets.of_type(name) if is_type else self.sets.pairs(name))

    def id_of(self, entity: int) -> str:
        """The id of an entity as the profile shortens it."""
        term = self.store.term(entity)
        return term.text if term.kind == NAME else self.store.profile.show(term)

    def name_of(self, entity: int) -> str | None:
        """The name of an entity, if it has one."""
        return self.names.names.get(entity)

    def number_of(self, text: str) -> int:
        """The entity of an id."""
        return self.store.id(self.store.profile.term(text))


def indexed(store: Store) -> EmbeddedStore:
    """The store, where it is an embedded index, or an index of its facts."""
    if isinstance(store, EmbeddedStore):
        return store
    said = (b"grounding", store.digest.encode(), store.profile.base.encode())
    return cached_index(said, lambda: _iter_batches(store), profile=store.profile)


def _iter_batches(store: Store) -> Iterator[pa.RecordBatch]:
    """All facts of a store as batches of keys."""
    import pyarrow as pa

    rows = store.select("SELECT ?subject ?relation ?target WHERE { ?subject ?relation ?target }").rows
    for first in range(0, len(rows), _ROWS):
        keys = [[term.key for term in row if term is not None] for row in rows[first : first + _ROWS]]
        columns = [pa.array(column, pa.large_string()) for column in zip(*keys, strict=True)]
        yield pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])
