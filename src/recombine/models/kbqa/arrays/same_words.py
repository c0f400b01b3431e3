"""Links of a question that have the same words: entities of one name, and readings of one number in several types.

A network cannot tell them apart. `one_of_each` leaves the first of them, which stands for all that have its words;
`alternatives` says which these are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.question_arrays import LITERAL
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.tries import Tries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays


def alternatives(questions: QuestionArrays, question: int) -> Mapping[str, tuple[str, ...]]:
    """The links of a question that have the words of others, by the first of these, which is among them."""
    return {words[0]: words for words in _groups(questions, question).values() if len(words) > 1}


def one_of_each(questions: QuestionArrays, *, entities: bool) -> QuestionArrays:
    """Questions with the first of the literals that have the same words, and where it is said of the entities too.

    Targets and candidates, which name links by their places, are left out.
    """
    kept: list[int] = []
    begins = np.zeros(len(questions) + 1, np.int64)
    for question in range(len(questions)):
        firsts = {words[0] for words in _groups(questions, question).values()}
        span = questions.links(question)
        kept += [
            place
            for place in range(span.start, span.stop)
            if questions.link_words[place] in firsts or (questions.link_kinds[place] != LITERAL and not entities)
        ]
        begins[question + 1] = len(kept)
    nothing = Ragged.of([()] * len(questions))
    return replace(
        questions,
        link_begins=begins,
        link_words=tuple(questions.link_words[place] for place in kept),
        link_texts=tuple(questions.link_texts[place] for place in kept),
        link_kinds=questions.link_kinds[kept],
        targets=nothing,
        candidates=Tries(nothing, nothing),
    )


def _groups(questions: QuestionArrays, question: int) -> dict[tuple[str, int], tuple[str, ...]]:
    """The links of a question by their words and kinds, in order."""
    groups: dict[tuple[str, int], tuple[str, ...]] = {}
    span = questions.links(question)
    for place in range(span.start, span.stop):
        said = (questions.link_texts[place], int(questions.link_kinds[place]))
        groups[said] = (*groups.get(said, ()), questions.link_words[place])
    return groups
