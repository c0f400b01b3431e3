"""What is near a question by the facts of a store (GrailQA, sections 4.2 and 4.4).

Entities prune the vocabulary, and literals beside them. Literals alone prune nothing, since what a question compares
with need not be in a fact: then the vocabulary is the whole schema, as it is where nothing is linked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.candidates.form_lookup import COVERED, FormLookup
from recombine.kb.candidates.search_space import SearchSpace
from recombine.kb.candidates.vocabulary import pruned_vocabulary
from recombine.kb.forms.sexpression_words import is_entity_word
from recombine.kb.term import LITERAL
from recombine.models.kbqa.arrays.codes import SYMBOLS
from recombine.models.kbqa.making.candidate_codes import CandidateCodes
from recombine.models.kbqa.making.near_question import NearQuestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Store
    from recombine.kb.term import Term
    from recombine.models.kbqa.making.schema_codes import SchemaCodes
    from recombine.records.example import Example


class NearFacts:
    """What is near questions over one store."""

    def __init__(
        self,
        store: Store,
        ontology: Ontology | None,
        codes: SchemaCodes,
        *,
        hops: int = 2,
        beyond: Iterable[str] = (),
        answer_class: bool = True,
    ) -> None:
        self.space = SearchSpace(store, hops=hops, beyond=beyond)
        self._ontology, self._codes = ontology, codes
        self._forms = CandidateCodes(self.space, codes, ontology, answer_class=answer_class)
        self._lookup = FormLookup(self.space, ontology)
        self._whole = np.arange(len(codes.schema), dtype=np.int32)
        self._types = self._said_types()

    def near(self, example: Example, links: Mapping[Term, int], question: int, form: Form | None) -> NearQuestion:
        """What is near a question, whose links have these codes, and whose gold form this is."""
        known = [term for term in links if self._has(term)]
        candidates = self.space.of(known)
        vocabulary = self._vocabulary(known)
        near = NearQuestion(
            self._whole if vocabulary is None else vocabulary,
            vocabulary is not None,
            self._forms.of(candidates, links, question),
            unknown=len(links) - len(known),
        )
        if form is None:
            return near
        looked_up = self._lookup.look_up(self._lookup.read(form), candidates, known)
        if looked_up.outcome != COVERED:
            return near._replace(outcome=looked_up.outcome)
        target = tuple(self._forms.of_one(looked_up.matches[0], links))
        return near._replace(outcome=COVERED, target=target)

    def _has(self, term: Term) -> bool:
        try:
            self.space.nodes(term)
        except KnowledgeBaseError:
            return False
        return True

    def _vocabulary(self, known: list[Term]) -> NDArray[np.int32] | None:
        """The items near what is linked; none where nothing prunes."""
        if all(term.kind == LITERAL for term in known):
            return None
        found = pruned_vocabulary(self.space, known, ontology=self._ontology)
        items = {self._codes.relation(term) for term in (*found.relations, *self._types)}
        items.update(self._codes.class_(term) for term in found.classes)
        return np.array(sorted(items), np.int32) - len(SYMBOLS)

    def _said_types(self) -> tuple[Term, ...]:
        """The predicate of types, where the schema has it since classes look like entities."""
        profile = self._codes.profile
        types = profile.predicates("type")[:1]
        classes = pruned_vocabulary(self.space, [], ontology=self._ontology).classes
        return types if any(is_entity_word(name, profile, at_end=False) for name in classes) else ()
