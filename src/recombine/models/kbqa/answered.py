"""What a network answers to questions, as texts, and what there is to count of it. Needs torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.kbqa.kbqa_settings import RANKING

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
}
"""What is counted, and what a person reads."""


@dataclass(frozen=True)
class Answered:
    """The forms of questions in their order, empty where there is none, and what is counted of them."""

    texts: tuple[str, ...]
    counts: dict[str, int]


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

    made = answer(net, schema, questions, settings, device, say=say)
    texts = tuple(questions.text(row, made.codes[row].tolist(), schema) for row in range(len(questions)))
    counts = {
        "without_link": int(np.count_nonzero(np.diff(questions.link_begins) == 0)),
        "without_candidate": int(np.count_nonzero(questions.candidates.codes.sizes == 0)),
        "without_output": sum(not text for text in texts),
        "malformed": int(np.count_nonzero(made.malformed)),
    }
    if settings.inference != RANKING:
        del counts["without_candidate"]
    return Answered(texts, counts)
