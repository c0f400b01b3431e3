"""The words of a question with a mark in the place of each mention, so that questions about other things are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.linking.words import folded_words
from recombine.models.kbqa.arrays.question_arrays import ENTITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays

ENTITY_MARK, LITERAL_MARK = MARKS = ("<entity>", "<literal>")


def masked_question(questions: QuestionArrays, row: int) -> list[str]:
    """The words of a question, each run that mentions something linked being one mark."""
    span = questions.links(row)
    kinds = questions.link_kinds[span].tolist()
    marks = [ENTITY_MARK if kind == ENTITY else LITERAL_MARK for kind in kinds]
    return masked_words(questions.texts[row], zip(questions.link_texts[span], marks, strict=True))


def masked_words(text: str, mentions: Iterable[tuple[str, str]]) -> list[str]:
    """The words of a text with marks for mentions, the longest put in first.

    >>> masked_words("Who led New York in 1990?", [("York", "<y>"), ("New York", "<entity>"), ("1990", "<literal>")])
    ['who', 'led', '<entity>', 'in', '<literal>', '?']
    """
    words = folded_words(text)
    runs = [(folded_words(said), mark) for said, mark in mentions]
    for run, mark in sorted(runs, key=lambda pair: (-len(pair[0]), pair[0])):
        if run:
            words = _with_mark(words, run, mark)
    return words


def _with_mark(words: Sequence[str], run: Sequence[str], mark: str) -> list[str]:
    marked: list[str] = []
    place = 0
    while place < len(words):
        if list(words[place : place + len(run)]) == list(run):
            marked.append(mark)
            place += len(run)
        else:
            marked.append(words[place])
            place += 1
    return marked
