"""The schema near what is linked in a question: the relations within two hops, and classes (GrailQA, section 4.2).

Over an index these are the relations of facts around the linked entities. Where there are no facts, an ontology says
which relations the classes of those entities have, and the classes at their other ends. Literals alone prune nothing,
for what a question compares with need not be in a fact; where no entity is linked the schema is whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from recombine.errors import KnowledgeBaseError, UnknownNameError
from recombine.kb.candidates.search_space import SearchSpace
from recombine.kb.candidates.vocabulary import pruned_vocabulary
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Store
    from recombine.kb.term import Term
    from recombine.selection.prompts.linked import Linked

FAR = 2


class Near(NamedTuple):
    """Relations with the hops that they are away, and classes; `pruned` says whether something was linked."""

    relations: dict[Term, int]
    classes: tuple[Term, ...]
    pruned: bool
    unknown: tuple[Term, ...] = ()
    """Linked entities that no fact has."""


class NearSchema(Protocol):
    """What finds the schema near some links."""

    ontology: Ontology | None

    def near(self, linked: Linked) -> Near:
        """The schema near what is linked."""


class NearFacts:
    """The schema near entities by the facts of an index."""

    def __init__(self, store: Store, ontology: Ontology) -> None:
        self.ontology: Ontology | None = ontology
        self._far, self._next = SearchSpace(store), SearchSpace(store, hops=1)

    def near(self, linked: Linked) -> Near:
        """The relations of facts within two hops, and the classes there."""
        entities = [term for term, _ in linked.terms if term.kind != LITERAL]
        unknown = tuple(dict.fromkeys(term for term in entities if not self._has(term)))
        known = [term for term in entities if term not in unknown]
        literals = [term for term, _ in linked.terms if term.kind == LITERAL] if known else []
        far = pruned_vocabulary(self._far, [*known, *literals], ontology=self.ontology)
        next_to = set(pruned_vocabulary(self._next, [*known, *literals]).relations) if known else set()
        hops = {name: 1 if name in next_to else FAR for name in far.relations}
        return Near(hops, far.classes, far.pruned, unknown)

    def _has(self, term: Term) -> bool:
        try:
            return bool(len(self._far.nodes(term)))
        except KnowledgeBaseError:
            return False


class NearClasses:
    """The schema near entities by an ontology and the classes that the data says they are of."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology: Ontology | None = ontology
        self._known = ontology
        self._at: dict[Term, set[Term]] = {}
        for relation in ontology.relations:
            for name in ends(ontology, relation):
                self._at.setdefault(name, set()).add(relation)

    def near(self, linked: Linked) -> Near:
        """The relations of the classes of what is linked, and those of the classes that they lead to."""
        own = self._with_those_above(linked.classes)
        if not own:
            whole = sorted(self._at, key=lambda term: term.key)
            return Near(dict.fromkeys(self._known.relations, FAR), tuple(whole), pruned=False)
        hops = dict.fromkeys(self._of(own), 1)
        beyond = {name for relation in hops for name in ends(self._known, relation)}
        far = self._of(self._with_those_above(beyond))
        hops |= {relation: FAR for relation in far if relation not in hops}
        classes = own | beyond | {name for relation in far for name in ends(self._known, relation)}
        return Near(hops, tuple(sorted(classes, key=lambda term: term.key)), pruned=True)

    def _with_those_above(self, classes: Iterable[Term]) -> set[Term]:
        return {each for name in classes for each in (self._known.one(name), *self._known.ancestors(name))}

    def _of(self, classes: Iterable[Term]) -> list[Term]:
        found = {relation for name in classes for relation in self._at.get(name, ())}
        return sorted(found, key=lambda term: term.key)


def ends(ontology: Ontology, relation: Term) -> tuple[Term, ...]:
    """The classes that a relation leads from and to, those of literals left out; none where it is not known."""
    try:
        found = (*ontology.domain(relation), *ontology.range(relation))
    except UnknownNameError:
        return ()
    return tuple(name for name in found if not ontology.literal(name))
