"""Questions as arrays: what is asked, about which pictures, and the answer. Programs are not looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import RecordError
from recombine.models.pictures.arrays.question_arrays import MOST_IMAGES, NOT_AN_ANSWER, QuestionArrays
from recombine.records.example import Example
from recombine.scenes.balance.answer_class import answer_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.models.pictures.arrays.words import Words
    from recombine.records.example import Query

IMAGES, ANSWER, TEMPLATE, PAIR = "images", "answer", "template", "pair"


def images_of(example: Example | Query) -> tuple[str, ...]:
    """The scenes that a question is about, one at least and five at most."""
    images = example.context.get(IMAGES)
    if not isinstance(images, tuple | list) or not images or not all(isinstance(each, str) for each in images):
        remedy = "give questions about scenes, as generate scenes makes them"
        raise RecordError("the questions", f"example {example.id}", f"has no list {IMAGES!r} of scenes", remedy)
    if len(images) > MOST_IMAGES:
        problem = f"is about {len(images)} images, and a picture model takes {MOST_IMAGES} at most"
        raise RecordError("the questions", f"example {example.id}", problem, "leave it out, or ask about fewer")
    return tuple(images)


def answer_of(example: Example) -> str:
    """The answer of a question as it is compared."""
    answer = example.context.get(ANSWER, example.tags.get(ANSWER))
    if not isinstance(answer, bool | int | str):
        remedy = "give each question its answer"
        raise RecordError("the questions", f"example {example.id}", f"has no field {ANSWER!r}", remedy)
    return answer_text(answer)


def shown_scenes(questions: Iterable[Example | Query]) -> list[str]:
    """The scenes that questions are about, each once, in the order of the alphabet."""
    return sorted({image for each in questions for image in images_of(each)})


def answers_of(examples: Iterable[Example]) -> list[str]:
    """All answers of some questions, in the order of the alphabet."""
    return sorted({answer_of(each) for each in examples})


def question_rows(
    questions: Sequence[Example | Query],
    *,
    words: Words,
    answers: Sequence[str],
    places: Mapping[str, int],
    templates: Sequence[str] | None = None,
) -> QuestionArrays:
    """Questions as arrays, a row each in their order; `places` says where the picture of a scene is.

    Of queries the answers are not known. One that the classifier does not have is `NOT_AN_ANSWER`.
    """
    numbers = {answer: place for place, answer in enumerate(answers)}
    shown = np.full((len(questions), MOST_IMAGES), -1, dtype=np.int32)
    answer = np.full(len(questions), NOT_AN_ANSWER, dtype=np.int16)
    for row, each in enumerate(questions):
        images = images_of(each)
        shown[row, : len(images)] = [places[image] for image in images]
        if isinstance(each, Example):
            answer[row] = numbers.get(answer_of(each), NOT_AN_ANSWER)
    named = [_template(each) for each in questions]
    listed = sorted({name for name in named if name}) if templates is None else list(templates)
    by_name = {name: place for place, name in enumerate(listed)}
    pairs = [each.context.get(PAIR) for each in questions]
    return QuestionArrays(
        words.table([each.source for each in questions]),
        shown,
        answer,
        np.array([pair if isinstance(pair, int) else -1 for pair in pairs], dtype=np.int32),
        np.array([by_name.get(name, -1) for name in named], dtype=np.int16),
        [each.id for each in questions],
        listed,
    )


def _template(example: Any) -> str:
    return str(example.context.get(TEMPLATE) or getattr(example, "tags", {}).get(TEMPLATE) or "")
