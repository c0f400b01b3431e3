"""What a store lacks of the names that questions use, and how many questions stay answerable.

A question stays answerable where the store has all names of its program: a fact of each relation, a fact with each
entity at one of its ends, and a thing of each class. That is needed for an answer and not enough: whether the program
gives the answer is seen when it is run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.kb.names.named import KINDS, Named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.store import Store
    from recombine.kb.term import Term


@dataclass
class Coverage:
    """What was named and what is lacking; names lacking are with the number of questions that name them."""

    questions: int = 0
    answerable: int = 0
    unanswerable: list[str] = field(default_factory=list)
    """The ids of the questions that lack a name, in their order."""
    named: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """How many distinct names of each kind there are."""
    lacking: dict[str, Counter[Term]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    questions_lacking: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """How many questions lack a name of each kind."""
    placeholders: int = 0
    """How many questions have placeholders, which name nothing and are not looked up."""


def coverage(store: Store, questions: Iterable[tuple[str, Named]]) -> Coverage:
    """What a store lacks for questions, each an id and what it names."""
    report, lookup = Coverage(), _Lookup(store)
    for key, named in questions:
        report.questions += 1
        report.placeholders += named.placeholders > 0
        lacks = False
        for kind, terms in zip(KINDS, (named.entities, named.relations, named.classes), strict=True):
            missing = [term for term in terms if not lookup.has(kind, term)]
            report.lacking[kind].update(missing)
            report.questions_lacking[kind] += bool(missing)
            lacks = lacks or bool(missing)
        if lacks:
            report.unanswerable.append(key)
    report.answerable = report.questions - len(report.unanswerable)
    report.named = {kind: len(known) for kind, known in lookup.known.items()}
    return report


class _Lookup:
    """Whether a store has a name, asked once for each."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._types = store.profile.predicates("type")
        self.known: dict[str, dict[Term, bool]] = {kind: {} for kind in KINDS}

    def has(self, kind: str, term: Term) -> bool:
        known = self.known[kind]
        if term not in known:
            known[term] = getattr(self, f"_has_{kind}")(term)
        return known[term]

    def _has_entities(self, term: Term) -> bool:
        return self._store.count(subject=term) > 0 or self._store.count(target=term) > 0

    def _has_relations(self, term: Term) -> bool:
        return self._store.count(relation=term) > 0

    def _has_classes(self, term: Term) -> bool:
        return any(self._store.count(relation=predicate, target=term) for predicate in self._types)
