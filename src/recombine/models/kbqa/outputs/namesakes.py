"""The entities that a link of a question may stand for: those linked by the same words, then others of that very name.

A linker links the most popular entities of a name (GrailQA, section 4.3); here the others follow, the more popular
first. Links of the data or of a file are taken as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.sexpression_words import write_word
from recombine.kb.linking.words import split_words
from recombine.models.kbqa.arrays.question_arrays import ENTITY
from recombine.models.kbqa.arrays.same_words import same_words
from recombine.models.kbqa.kbqa_settings import LINKER, TAGGER
from recombine.models.kbqa.linked_examples import linker_forms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.kb.linking.surface_forms import SurfaceForms
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store
    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings

MOST = 10
"""How many entities of a name are known, as a linker keeps them."""


class Namesakes:
    """What links may stand for over one dictionary of names; without one, for links of the same words alone."""

    def __init__(self, forms: SurfaceForms | None, profile: Profile) -> None:
        self._forms, self._profile = forms, profile
        self._known: dict[str, tuple[str, ...]] = {}

    @classmethod
    def of(cls, store: Store, settings: KbqaSettings) -> Namesakes:
        """With the names of the linker that settings name."""
        named = settings.links in (LINKER, TAGGER)
        return cls(linker_forms(store, settings.names) if named else None, store.profile)

    def alternatives(self, questions: QuestionArrays, question: int) -> Mapping[str, tuple[str, ...]]:
        """What each link of a question may stand for, itself first, by the first link of its words."""
        made = {}
        for (text, kind), words in same_words(questions, question).items():
            others = self._named(text) if kind == ENTITY else ()
            # A link that is not called so was found by words that are like it: nothing else is called like it.
            made[words[0]] = tuple(dict.fromkeys((*words, *others))) if words[0] in others else words
        return {word: each for word, each in made.items() if len(each) > 1}

    def _named(self, text: str) -> tuple[str, ...]:
        """The entities of a name, the most popular first."""
        if self._forms is None:
            return ()
        if text not in self._known:
            form = self._forms.form(split_words(text).texts)
            owners = self._forms.owners(form)[:MOST] if form >= 0 else []
            self._known[text] = tuple(write_word(self._forms.term(each.number), self._profile) for each in owners)
        return self._known[text]
