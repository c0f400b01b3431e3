"""The domain of each relation and class of a store: what its name says, or the class of what it is said of.

Freebase's names begin with their domain, FB15k-237's paths too. Where no relation of a store has such a name, as in
Wikidata, the domain of a class is the one above it near the top, and that of a relation is that of the class which it
leads from. The top itself is no domain where all is below it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.kb.ontology.store_ontology import store_ontology

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

ENOUGH = 3
"""So many domains are wanted, one each for train, dev and test, before classes further down are looked at."""
BY_CLASSES = "classes"
_ODD = re.compile(r"[^\w.-]+")
_LOCAL = re.compile(r"[^/#:]+(?=[/#:]*\Z)")


class SchemaDomains:
    """The domains of a store; `ontology` is what is known of its classes, which is looked for where none is given.

    `profile` is another than the store's own, under the same base.
    """

    def __init__(
        self, store: EmbeddedStore, ontology: Ontology | None = None, *, profile: Profile | None = None
    ) -> None:
        self._store, self._given = store, ontology
        self._profile = store.profile if profile is None else profile

    @cached_property
    def by_names(self) -> bool:
        """Whether names say domains."""
        return any(self._profile.domain_of(name) for name in self._relations)

    def of(self, item: Term) -> str:
        """The domain of a relation or a class; empty where nothing says it, and for classes of literals."""
        if self._profile.is_literal_class(item):
            return ""
        if self.by_names:
            return self._profile.domain_of(item)
        top = self._top(item)
        return "" if top is None else self._called.get(top, "")

    @cached_property
    def _ontology(self) -> Ontology:
        return self._given if self._given is not None else store_ontology(self._store)

    @cached_property
    def _relations(self) -> list[Term]:
        used = {self._store.term(number) for number in self._store.relation_counts}
        return sorted(used - self._profile.schema_predicates, key=lambda term: term.key)

    def _top(self, item: Term) -> Term | None:
        path = self._path(item)
        return path[min(self._depth, len(path) - 1)] if path else None

    def _path(self, item: Term) -> tuple[Term, ...]:
        """The classes from the top down to a class, or to that which a relation leads from."""
        known = self._ontology
        if item in known.relations or known.reverse(item) is not None:
            classes = [name for name in known.domain(item) if not known.literal(name)]
            if not classes:
                return ()
            item = classes[0]
        path = [known.one(item)]
        while above := [name for name in known.superclasses.get(path[-1], ()) if name not in path]:
            path.append(min(above, key=lambda term: term.key))
        return tuple(reversed(path))

    @cached_property
    def _depth(self) -> int:
        """How far below the top there are domains enough; where there never are, where there are most."""
        paths = [path for path in map(self._path, self._relations) if path]
        numbers = [
            len({path[min(depth, len(path) - 1)] for path in paths}) for depth in range(max(map(len, paths), default=1))
        ]
        return next((depth for depth, number in enumerate(numbers) if number >= ENOUGH), numbers.index(max(numbers)))

    @cached_property
    def _called(self) -> dict[Term, str]:
        """What each domain is called: its class's name for people, or the end of its IRI, where it is its own."""
        items = {*self._relations, *self._ontology.classes}
        tops = sorted({top for item in items if (top := self._top(item)) is not None}, key=lambda term: term.key)
        names = {top: [self._label(top), _local(top.text), _word(self._profile.show(top))] for top in tops}
        times = Counter(name for each in names.values() for name in set(each) if name)
        return {top: next((name for name in each if times[name] == 1), each[-1]) for top, each in names.items()}

    def _label(self, name: Term) -> str:
        labels = [
            label.text
            for predicate in self._profile.predicates("label")
            for label in self._store.neighbours(name, predicate)
            if label.language in ("", "en")
        ]
        return _word(min(labels, default="")).lower()


def _local(text: str) -> str:
    found = _LOCAL.search(text)
    return "" if found is None else _word(found[0])


def _word(text: str) -> str:
    """A text as one word, without the signs that lists of domains are written with."""
    return _ODD.sub("_", text).strip("_")
