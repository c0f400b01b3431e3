"""The types of the literals that relations of a store lead to, the most frequent first.

Where no fact has a relation, its range in the ontology says the type: one of XSD's, or a class of literals, whose types
are those of the values that other relations of this range have. A relation that leads to no literal has no type.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.embedded.literal_columns import XSD
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Store
    from recombine.kb.term import Term

_SEPARATOR = "\0"
_QUERY = """SELECT ?type ?language (COUNT(DISTINCT ?value) AS ?number)
WHERE {{ ?any {relation} ?value . FILTER(isLiteral(?value)) }}
GROUP BY (DATATYPE(?value) AS ?type) (LANG(?value) AS ?language)"""


class ValueType(NamedTuple):
    """The type of a literal: a datatype or a language, or neither for a plain text."""

    datatype: str = ""
    language: str = ""

    @classmethod
    def of(cls, literal: Term) -> ValueType:
        """The type of a literal."""
        return cls(literal.datatype, literal.language)


class RelationTypes:
    """The types of values, by relation."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[Term, tuple[ValueType, ...]] = {}

    def of(self, relation: Term) -> tuple[ValueType, ...]:
        """The types of a relation's values, those of more distinct values first."""
        if relation not in self._known:
            counts = self._counts(relation)
            if not counts and not self._store.count(relation=relation):
                counts = self._by_range(relation)
            self._known[relation] = tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))
        return self._known[relation]

    # -- by facts ------------------------------------------------------------------------------------------------------

    def _counts(self, relation: Term) -> Counter[ValueType]:
        """How many distinct values of each type a relation leads to."""
        if isinstance(self._store, EmbeddedStore):
            return _embedded_counts(self._store, relation)
        table = self._store.select(_QUERY.format(relation=written_term(relation, self._store.profile.base)))
        counts: Counter[ValueType] = Counter()
        for datatype, language, number in table.rows:
            if datatype is not None and number is not None:
                counts[self._value_type(datatype, "" if language is None else language.text)] += int(number.text)
        return counts

    def _value_type(self, datatype: Term, language: str) -> ValueType:
        name = self._store.profile.expand(datatype)
        return ValueType("", language.lower()) if language else ValueType("" if name == XSD + "string" else name)

    # -- by the ontology -----------------------------------------------------------------------------------------------

    @cached_property
    def _ontology(self) -> Ontology:
        from recombine.kb.ontology.store_ontology import store_ontology

        return store_ontology(self._store)

    def _range(self, relation: Term) -> tuple[Term, ...]:
        ontology = self._ontology
        known = relation in ontology.relations or ontology.reverse(relation) is not None
        return ontology.range(relation) if known else ()

    def _by_range(self, relation: Term) -> Counter[ValueType]:
        counts: Counter[ValueType] = Counter()
        for class_ in self._range(relation):
            name = self._store.profile.expand(class_)
            counts.update({ValueType(name): 1} if name.startswith(XSD) else self._class_counts.get(class_, {}))
        return counts

    @cached_property
    def _class_counts(self) -> Mapping[Term, Counter[ValueType]]:
        """How many values of each type lie at the ends of relations whose range is a class of literals."""
        made: dict[Term, Counter[ValueType]] = {}
        for relation in self._ontology.relations:
            for class_ in self._range(relation):
                if self._ontology.literal(class_):
                    made.setdefault(class_, Counter()).update(self._counts(relation))
        return made


def _embedded_counts(store: EmbeddedStore, relation: Term) -> Counter[ValueType]:
    import pyarrow.compute as pc

    ends = store.relation_ends.along(store.id(relation), inverse=True)
    keys = store.table.column(ends[ends < len(store.literals.families)])  # literals have the first ids
    kinds = pc.replace_substring_regex(keys, r"(?s)^.*\x00", "")
    each = zip(*(pc.value_counts(kinds).field(name).to_pylist() for name in ("values", "counts")), strict=True)
    return Counter({_of_key(kind): number for kind, number in each})


def _of_key(said: str) -> ValueType:
    """The type that a literal's key says after its text."""
    return ValueType(language=said[1:]) if said.startswith("@") else ValueType(said)
