"""Examples with what is linked in them, made arrays over a schema.

The target of a question is the candidate that its gold form matches strictly, written as candidates are: the first of
them by how many of its relations are the gold form's own, not their reverses. Where there is none, it is the gold form
as it is written (`gold_codes`). A question without links or candidates, and a form without codes, is a counted case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.errors import OptionError, RecombineError
from recombine.kb.candidates.form_lookup import COVERED
from recombine.kb.forms.form_of_text import NOTATION_OF, form_of_text
from recombine.kb.forms.sexpression_words import write_word
from recombine.kb.linking.gold_links import unbracketed
from recombine.kb.term import LITERAL as LITERAL_TERM
from recombine.models.kbqa.arrays.build_trie import build_trie
from recombine.models.kbqa.arrays.codes import END
from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL, QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.tries import Tries
from recombine.models.kbqa.making.gold_codes import UNREADABLE, gold_codes
from recombine.models.kbqa.making.making_counts import BEYOND, MakingCounts
from recombine.models.kbqa.making.near_facts import NearFacts
from recombine.models.kbqa.making.near_ontology import NearOntology
from recombine.models.kbqa.making.schema_codes import SchemaCodes
from recombine.progress import tracked
from recombine.selection.prompts.linked import Linked

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.kb.forms.form import Form
    from recombine.kb.term import Term
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.making.near_question import NearLinks, NearQuestion
    from recombine.records.example import Example
    from recombine.selection.prompts.kb_setting import KbSetting


class MadeQuestions(NamedTuple):
    """Questions as arrays, and what became of them."""

    questions: QuestionArrays
    counts: MakingCounts


class QuestionMaker:
    """Makes questions over one schema arrays, with candidates of so many hops and kinds."""

    def __init__(
        self,
        setting: KbSetting,
        schema: SchemaArrays,
        *,
        hops: int = 2,
        count: bool = True,
        beyond: Iterable[str] = (),
        answer_class: bool = True,
        language: str | None = "sexpression",
    ) -> None:
        self._codes = SchemaCodes(schema, setting.profile)
        self._notation = NOTATION_OF.get(language or "")
        self._near = self._near_links(setting, hops=hops, count=count, beyond=tuple(beyond), answer_class=answer_class)

    def _near_links(
        self, setting: KbSetting, *, hops: int, count: bool, beyond: tuple[str, ...], answer_class: bool
    ) -> NearLinks:
        """Facts say what is near, else an ontology."""
        if setting.store is not None:
            kinds: dict[str, Any] = {"hops": hops, "count": count, "beyond": beyond, "answer_class": answer_class}
            return NearFacts(setting.store, setting.ontology, self._codes, **kinds)
        if setting.ontology is None:
            raise OptionError("neither facts nor an ontology say what candidates there are", "name one with --kb")
        if beyond:
            raise OptionError(
                f"candidates of an ontology have no {' and no '.join(beyond)}", "leave beyond empty, or give facts"
            )
        return NearOntology(setting.ontology, self._codes, hops=hops, count=count)

    def make(
        self,
        examples: Sequence[Example],
        links: Mapping[str, Linked],
        *,
        with_targets: bool = True,
        candidates_of: Container[str] | None = None,
    ) -> MadeQuestions:
        """The questions in their order, with what is linked in each by its id; without targets, none is read.

        Candidates are listed of the questions with some ids, or of all: those that are only learned from need none.
        """
        made = _Making(MakingCounts(len(examples)))
        for example in tracked(examples, "making candidates", total=len(examples)):
            linked = _each_once(links.get(example.id, Linked()))
            places = {term: self._codes.first_link + place for place, term in enumerate(linked)}
            form = self._form(example) if with_targets else None
            listed = candidates_of is None or example.id in candidates_of
            near = self._near.near(example, places, form, listed=listed)
            target = self._target(near, form, places, made.counts) if with_targets else ()
            made.add(unbracketed(example.source), self._links(linked), near, target)
            made.counts.without_candidates += listed and not len(near.forms)
        return MadeQuestions(made.arrays(tuple(example.id for example in examples)), made.counts)

    def _form(self, example: Example) -> Form | None:
        try:
            return form_of_text(example.target, self._codes.profile, self._notation)
        except RecombineError:
            return None

    def _target(
        self, near: NearQuestion, form: Form | None, links: Mapping[Term, int], counts: MakingCounts
    ) -> tuple[int, ...]:
        coded = UNREADABLE if form is None else near.target or gold_codes(form, self._codes, links)
        counts.outcomes[near.outcome or UNREADABLE] += 1
        counts.targets[coded if isinstance(coded, str) else COVERED if near.target else BEYOND] += 1
        return () if isinstance(coded, str) else tuple(coded)

    def _links(self, linked: Mapping[Term, str]) -> list[tuple[str, str, int]]:
        """The word, text and kind of each link."""
        return [
            (write_word(term, self._codes.profile), text or term.text, LITERAL if term.kind == LITERAL_TERM else ENTITY)
            for term, text in linked.items()
        ]


def _each_once(linked: Linked) -> dict[Term, str]:
    """What is linked, each term once, with the first text that is said of it."""
    found: dict[Term, str] = {}
    for term, text in linked.terms:
        found[term] = found.get(term) or " ".join(text.split())
    return found


class _Making:
    """Questions on their way to arrays."""

    def __init__(self, counts: MakingCounts) -> None:
        self.counts = counts
        self._texts: list[str] = []
        self._links: list[list[tuple[str, str, int]]] = []
        self._vocabularies: list[NDArray[np.int32]] = []
        self._pruned: list[bool] = []
        self._targets: list[tuple[int, ...]] = []
        self._tries: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []

    def add(self, text: str, links: list[tuple[str, str, int]], near: NearQuestion, target: tuple[int, ...]) -> None:
        """Add the next question."""
        self._texts.append(text)
        self._links.append(links)
        self._vocabularies.append(near.vocabulary)
        self._pruned.append(near.pruned)
        self._targets.append(target)
        self._tries.append(build_trie(near.forms))
        self.counts.without_link += not links
        self.counts.whole_vocabulary += not near.pruned
        self.counts.unknown_links += near.unknown
        self.counts.candidates += int(np.count_nonzero(self._tries[-1][1] == END))

    def arrays(self, ids: tuple[str, ...]) -> QuestionArrays:
        """All questions that were added."""
        begins = np.zeros(len(ids) + 1, np.int64)
        np.cumsum([len(each) for each in self._links], out=begins[1:])
        links = [link for each in self._links for link in each]
        return QuestionArrays(
            ids,
            tuple(self._texts),
            begins,
            tuple(word for word, _, _ in links),
            tuple(text for _, text, _ in links),
            np.array([kind for _, _, kind in links], np.uint8),
            Ragged.of(self._vocabularies),
            np.array(self._pruned, bool),
            Ragged.of(self._targets),
            Tries(Ragged.of([parents for parents, _ in self._tries]), Ragged.of([codes for _, codes in self._tries])),
        )
