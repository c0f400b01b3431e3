"""What a network answers to questions, as texts, and what there is to count of it. Needs torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.kbqa.arrays.same_words import one_of_each
from recombine.models.kbqa.kbqa_settings import GOLD, RANKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings

COUNTED = {
    "without_link": "without a link",
    "without_candidate": "without a candidate",
    "without_output": "without an answer",
    "malformed": "malformed",
    "moved": "given a less likely form that has facts",
    "without_answer": "none of whose forms has facts",
    "not_executed": "forms not executed",
}
"""What is counted, and what a person reads."""


@dataclass(frozen=True)
class Answered:
    """The forms of questions in their order, empty where there is none, and what is counted of them."""

    texts: tuple[str, ...]
    counts: dict[str, int]
    beams: tuple[tuple[str, ...], ...] = ()
    """All forms of each question that were written, the likeliest first; of none where one form is asked for."""


def answered(
    net: Any,
    schema: SchemaArrays,
    questions: QuestionArrays,
    settings: KbqaSettings,
    device: str,
    say: Callable[[str], None] = lambda _: None,
) -> Answered:
    """The answers of a network as the settings say."""
    from recombine.models.kbqa.inference.answer import answer

    read = _read_by_a_network(questions, settings)
    made = answer(net, schema, read, settings, device, say=say)
    texts = tuple(read.text(row, made.codes[row].tolist(), schema) for row in range(len(read)))
    beams = tuple(tuple(read.text(row, form, schema) for form in beam) for row, beam in enumerate(made.beams))
    counts = {
        "without_link": int(np.count_nonzero(np.diff(questions.link_begins) == 0)),
        "without_candidate": int(np.count_nonzero(questions.candidates.codes.sizes == 0)),
        "without_output": sum(not text for text in texts),
        "malformed": int(np.count_nonzero(made.malformed)),
    }
    if settings.inference != RANKING:
        del counts["without_candidate"]
    return Answered(texts, counts, beams)


def _read_by_a_network(questions: QuestionArrays, settings: KbqaSettings) -> QuestionArrays:
    """Questions with links that a network can tell apart, where it writes forms.

    Of readings of a number one stays, since the relation beside it says its type; of entities of one name all stay, but
    where what has an answer says which is meant. Gold links are what the data says.
    """
    if settings.inference == RANKING or (settings.links == GOLD and not settings.asks_for_beams):
        return questions
    return one_of_each(questions, entities=settings.asks_for_beams)
