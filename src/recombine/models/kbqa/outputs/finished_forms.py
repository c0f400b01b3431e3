"""Forms as they are given: literals in the types of their relations, one of a beam, in the notation of the data.

With gold links the data says the types of literals, and they stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import InputFileError
from recombine.models.kbqa.arrays.same_words import alternatives
from recombine.models.kbqa.kbqa_settings import GOLD
from recombine.models.kbqa.outputs.answer_check import AnswerCheck
from recombine.models.kbqa.outputs.form_choice import FormChoice
from recombine.models.kbqa.outputs.literal_types import LiteralTypes
from recombine.models.kbqa.sexpression_targets import in_language
from recombine.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.store import Store
    from recombine.models.kbqa.answered import Answered
    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings


class FinishedForms(NamedTuple):
    """A form for each question, empty where there is none, and what there is to count."""

    texts: tuple[str, ...]
    counts: dict[str, int]


def finished_forms(
    given: Answered, questions: QuestionArrays, store: Store, settings: KbqaSettings, language: str
) -> FinishedForms:
    """What a network gave to questions, as it is given."""
    types = LiteralTypes.of(store)
    retyped = str if settings.links == GOLD else types.retyped
    if not settings.asks_for_beams:
        return FinishedForms(_in_language(map(retyped, given.texts), store, language), given.counts)
    if len(given.beams) != len(given.texts):
        raise InputFileError("only one form of each question was written", "run it again with chosen=answered")
    choice = FormChoice(AnswerCheck(store), retyped)
    rows = tracked(enumerate(given.beams), "executing forms", total=len(given.beams))
    # One that never ended is in no beam, and is given as it is: it is counted as malformed.
    chosen = [choice(beam, alternatives(questions, row)) if beam else given.texts[row] for row, beam in rows]
    return FinishedForms(_in_language(chosen, store, language), {**given.counts, **choice.counts})


def finished_texts(texts: Iterable[str], store: Store, *, retype: bool, language: str) -> tuple[str, ...]:
    """Forms of which there is one for each question, as they are given."""
    types = LiteralTypes.of(store)
    return _in_language(map(types.retyped, texts) if retype else texts, store, language)


def _in_language(texts: Iterable[str], store: Store, language: str) -> tuple[str, ...]:
    return tuple(in_language(text, language, store.profile) if text else "" for text in texts)
