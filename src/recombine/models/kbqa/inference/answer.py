"""A trained network's answers to questions over any schema, by the inference that settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.models.kbqa.inference.rank import rank
from recombine.models.kbqa.inference.transduce import transduce
from recombine.models.kbqa.kbqa_settings import RANKING
from recombine.models.kbqa.nets.quick_sums import quick_sums

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.inference.answers import Answers
    from recombine.models.kbqa.kbqa_settings import KbqaSettings
    from recombine.models.kbqa.nets.kbqa_net import KbqaNet


def _ignore(*_: Any) -> None:
    """Nobody listens."""


def answer(
    net: KbqaNet,
    schema: SchemaArrays,
    questions: QuestionArrays,
    settings: KbqaSettings,
    device: str,
    *,
    say: Callable[[str], None] = _ignore,
    answered: Callable[[int], None] = _ignore,
) -> Answers:
    """Answers to all questions; one without candidates, or without any form of its words, has none.

    `answered` gets the number of questions that are done, again and again.
    """
    net.to(device).eval()
    prepared = net.prepare(schema, questions)
    with quick_sums():
        if settings.inference == RANKING:
            answers = rank(net, prepared, overlap=settings.overlap, ranked=answered)
        else:
            answers = transduce(net, prepared, settings, written=answered)
    none = int((answers.codes.sizes == 0).sum())
    say(f"{len(questions)} questions, {none} without an answer, {int(answers.malformed.sum())} malformed")
    return answers
