"""What questions are like in numbers: the rows of COVR's Table 3, and how often each answer occurs (Figure 4)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.languages.scenes import anonymise_scenes
from recombine.scenes.balance.answer_class import answer_text
from recombine.scenes.balance.asked_question import CHOICE, NUMBER, OPEN, TRUTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.scenes.balance.asked_question import AskedQuestion

PAPER: Mapping[str, tuple[float, float]] = {
    "questions": (250_000, 10_600),
    "unique questions": (170_800, 8_700),
    "unique answers": (3_972, 1_109),
    "unique images": (69_600, 7_000),
    "anonymised programs": (338, 177),
    "true/false": (133_300, 5_500),
    "X or Y": (50_000, 1_900),
    "how many": (33_300, 1_500),
    "open": (33_300, 1_600),
    "words per question": (14.3, 13.5),
    "images per question": (3.8, 3.4),
}
"""COVR's Table 3: train, and dev and test together; its words are those of questions that were not paraphrased."""


def table_rows(questions: Sequence[AskedQuestion]) -> dict[str, float]:
    """The rows of the table for some questions."""
    kinds = Counter(question.kind for question in questions)
    programs = {question.program for question in questions}
    number = max(1, len(questions))
    return {
        "questions": len(questions),
        "unique questions": len({question.source for question in questions}),
        "unique answers": len({answer_text(question.answer) for question in questions}),
        "unique images": len({image for question in questions for image in question.images}),
        "anonymised programs": len(set(map(anonymise_scenes, programs))),
        **{kind: kinds[kind] for kind in (TRUTH, CHOICE, NUMBER, OPEN)},
        "words per question": sum(len(question.source.split()) for question in questions) / number,
        "images per question": sum(len(question.images) for question in questions) / number,
    }


def answer_counts(questions: Sequence[AskedQuestion], *, most: int = 30) -> dict[str, int]:
    """The most frequent answers but for true and false; of equal ones the first by the alphabet."""
    counts = Counter(answer_text(question.answer) for question in questions if not isinstance(question.answer, bool))
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most])


def share_with_twin(questions: Sequence[AskedQuestion]) -> float:
    """The share of questions that have a twin with another answer among them."""
    answers: dict[int, set[str]] = {}
    for question in questions:
        if question.pair is not None:
            answers.setdefault(question.pair, set()).add(repr(question.answer))
    twins = sum(question.pair is not None and len(answers[question.pair]) > 1 for question in questions)
    return twins / max(1, len(questions))
