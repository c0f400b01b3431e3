"""Examples with what is linked in them, made arrays over a schema.

The target of a question is the candidate that its gold form matches strictly, written as candidates are: the first of
them by how many of its relations are the gold form's own, not their reverses. Where there is none, it is the gold form
as it is written (`gold_codes`). A question without links or candidates, and a form without codes, is a counted case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import OptionError, RecombineError
from recombine.kb.candidates.form_lookup import COVERED
from recombine.kb.forms.form_of_text import NOTATION_OF, form_of_text
from recombine.kb.forms.sexpression_words import write_word
from recombine.kb.linking.gold_links import unbracketed
from recombine.kb.term import LITERAL as LITERAL_TERM
from recombine.models.kbqa.arrays.build_tries import build_tries
from recombine.models.kbqa.arrays.form_rows import FormRows
from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL, QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.tries import Tries
from recombine.models.kbqa.making.gold_codes import UNREADABLE, gold_codes
from recombine.models.kbqa.making.making_counts import BEYOND, MakingCounts
from recombine.models.kbqa.making.near_facts import NearFacts
from recombine.models.kbqa.making.schema_codes import SchemaCodes
from recombine.progress import tracked
from recombine.selection.prompts.linked import Linked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.kb.forms.form import Form
    from recombine.kb.term import Term
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.making.near_question import NearLinks, NearQuestion
    from recombine.records.example import Example
    from recombine.selection.prompts.kb_setting import KbSetting

_AT_ONCE = 200_000
"""Candidates that are made tries at once, and no fewer than those of one question."""


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
        beyond: Iterable[str] = (),
        answer_class: bool = True,
        language: str | None = "sexpression",
    ) -> None:
        self._codes = SchemaCodes(schema, setting.profile)
        self._notation = NOTATION_OF.get(language or "")
        self._near: NearLinks
        if setting.store is None:
            raise OptionError("candidates need facts", "name a knowledge base with --kb")
        self._near = NearFacts(
            setting.store, setting.ontology, self._codes, hops=hops, beyond=beyond, answer_class=answer_class
        )

    def make(
        self, examples: Sequence[Example], links: Mapping[str, Linked], *, with_targets: bool = True
    ) -> MadeQuestions:
        """The questions in their order, with what is linked in each by its id; without targets, none is read."""
        made = _Making(MakingCounts(len(examples)))
        for number, example in enumerate(tracked(examples, "making candidates", total=len(examples))):
            linked = _each_once(links.get(example.id, Linked()))
            places = {term: self._codes.first_link + place for place, term in enumerate(linked)}
            form = self._form(example) if with_targets else None
            near = self._near.near(example, places, number - made.first, form)
            target = self._target(near, form, places, made.counts) if with_targets else ()
            made.add(unbracketed(example.source), self._links(linked), near, target)
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
        self.counts, self.first = counts, 0
        self._texts: list[str] = []
        self._links: list[list[tuple[str, str, int]]] = []
        self._near: list[NearQuestion] = []
        self._targets: list[tuple[int, ...]] = []
        self._waiting: list[FormRows] = []
        self._forms = 0
        self._tries: list[Tries] = []

    def add(
        self, text: str, links: list[tuple[str, str, int]], near: NearQuestion, target: tuple[int, ...]
    ) -> None:
        """Add the next question."""
        self._texts.append(text)
        self._links.append(links)
        self._waiting.append(near.forms)
        self._targets.append(target)
        self._forms += len(near.forms)
        self.counts.without_link += not links
        self.counts.without_candidates += not len(near.forms)
        self.counts.whole_vocabulary += not near.pruned
        self.counts.unknown_links += near.unknown
        self._near.append(near._replace(forms=_NO_FORMS))
        if self._forms >= _AT_ONCE:
            self._build()

    def _build(self) -> None:
        self._tries.append(build_tries(FormRows.joined(self._waiting), len(self._waiting)))
        self.counts.candidates += int((self._tries[-1].codes.values == 0).sum())
        self.first, self._waiting, self._forms = len(self._texts), [], 0

    def arrays(self, ids: tuple[str, ...]) -> QuestionArrays:
        """All questions that were added."""
        self._build()
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
            Ragged.of([near.vocabulary for near in self._near]),
            np.array([near.pruned for near in self._near], bool),
            Ragged.of(self._targets),
            Tries(
                Ragged.joined([tries.parents for tries in self._tries]),
                Ragged.joined([tries.codes for tries in self._tries]),
            ),
        )


_NO_FORMS = FormRows.joined([])
