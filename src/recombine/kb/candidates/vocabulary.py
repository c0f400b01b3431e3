"""The words a decoder may write for a question: vocabulary pruning (GrailQA, section 4.2, "Vocabulary construction").

Of the schema, only what lies within two hops of something linked is kept: the relations of those facts, and the classes
of the things they are about. What is linked, the functions and the brackets are always there. Where nothing is linked
there is nothing to prune by, and the vocabulary is that of the whole store.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import UnknownNameError
from recombine.kb.candidates.path_kernels import near_schema
from recombine.kb.forms.form import COMPARISONS
from recombine.kb.forms.sexpression_words import write_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

FUNCTIONS = ("AND", "ARGMAX", "ARGMIN", "COUNT", "JOIN", "R", *(name.lower() for name in COMPARISONS.values()))
BRACKETS = ("(", ")")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a form for a question may be written with; terms are in the order of their keys, links as given."""

    linked: tuple[Term, ...]
    relations: tuple[Term, ...]
    classes: tuple[Term, ...]
    pruned: bool
    """Whether it was pruned: without a link it is whole."""

    def __len__(self) -> int:
        return len(self.linked) + len(self.relations) + len(self.classes) + len(FUNCTIONS) + len(BRACKETS)

    def words(self, profile: Profile) -> list[str]:
        """The words of S-expressions, functions and brackets first."""
        terms = (*self.linked, *self.relations, *self.classes)
        return [*BRACKETS, *FUNCTIONS, *(write_word(term, profile) for term in terms)]


def pruned_vocabulary(space: SearchSpace, linked: Iterable[Term], *, ontology: Ontology | None = None) -> Vocabulary:
    """The vocabulary for a question in which these are linked; with an ontology, with the classes that its relations
    lead from and to, whether or not a fact says them.

    >>> from recombine.kb.candidates.search_space import SearchSpace
    >>> from recombine.kb.open_store import open_store
    >>> from recombine.kb.term import Term
    >>> space = SearchSpace(open_store("docs/examples/films.ttl"))
    >>> found = pruned_vocabulary(space, [Term.name("Ann_Other")])
    >>> [term.text for term in found.relations], [term.text for term in found.classes]
    (['born', 'directed_by', 'released', 'sequel_of'], ['Film', 'Person'])
    """
    anchors = tuple(dict.fromkeys(linked))
    store = space.store
    relation_ids, class_ids = schema_ids(space, anchors)
    relations = tuple(store.terms(relation_ids))
    classes = set(store.terms(class_ids))
    if ontology is not None:
        classes.update(name for relation in relations for name in end_classes(ontology, relation))
    ordered = tuple(sorted(classes, key=lambda term: term.key))
    return Vocabulary(anchors, relations, ordered, pruned=bool(anchors))


def schema_ids(space: SearchSpace, anchors: Sequence[Term]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The relations within the hops of a space of some anchors, and the classes there; of none, all. Both are ids."""
    store = space.store
    if anchors:
        nodes = np.unique(np.concatenate([space.nodes(anchor) for anchor in anchors])).astype(np.int32)
        visited = np.zeros(len(store.table), bool)
        near: tuple[npt.NDArray[Any], npt.NDArray[Any]] = near_schema(
            store.edges, space.steps.places, space.literals, space.types, nodes, space.hops, visited
        )
        return near
    each = [store.along(int(relation), inverse=True) for relation in space.types]
    return space.steps.relations, np.unique(np.concatenate([np.empty(0, np.int32), *each]))


def end_classes(ontology: Ontology, relation: Term) -> tuple[Term, ...]:
    """The classes that a relation leads from and to, those of literals left out; none where it is not known."""
    try:
        ends = (*ontology.domain(relation), *ontology.range(relation))
    except UnknownNameError:
        return ()
    return tuple(name for name in ends if not ontology.literal(name))
