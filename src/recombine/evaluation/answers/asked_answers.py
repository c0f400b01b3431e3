"""What a question asks for: its right answers, as the field `answer` has them, and the options to choose from.

Options are those of a field `options` or `choices`, those of a program that chooses (COVR's `choose_attr`,
`choose_name` and `choose_rel`), or else what stands around "or" in the question. A list of answers says that any of
them is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import ProgramError, RecordError
from recombine.languages.scenes import name_of, parse_scenes
from recombine.scenes.balance.answer_class import CHOICES, answer_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.evaluation.answers.answer_reader import AnswerReader, Asked
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

ANSWER = "answer"
OPTIONS = ("options", "choices")
"""The fields that list what can be chosen."""
_CHOOSING = tuple(f"{name} " for name in sorted(CHOICES))


def field_of(example: Example, name: str) -> Any:
    """A field of an example besides its texts, whether it is context or a tag; none where it has none."""
    return example.context.get(name, example.tags.get(name))


def right_answers(dataset: Dataset, example: Example) -> tuple[bool | float | str, ...]:
    """The right answers of an example; one at least, or it is refused."""
    answer = field_of(example, ANSWER)
    if answer is None and dataset.fields is not None and dataset.fields[1] == ANSWER:
        answer = example.target
    answers = tuple(answer) if isinstance(answer, tuple | list) else () if answer is None else (answer,)
    if not answers or not all(isinstance(each, bool | int | float | str) for each in answers):
        problem = (
            f"has no field {ANSWER!r}" if answer is None else f"the field {ANSWER!r} is no answer, nor a list of some"
        )
        remedy = "give its right answer there, name the field as --target where it is the target, or score --on target"
        raise RecordError(dataset.name, f"example {example.id}", problem, remedy)
    return answers


def answer_to_learn(dataset: Dataset, example: Example) -> str:
    """The first right answer of an example as a line of text, as models that answer in words learn it."""
    answer = right_answers(dataset, example)[0]
    text = str(answer) if isinstance(answer, float) else answer_text(answer)
    if "\n" in text or not text.strip():
        raise RecordError(dataset.name, f"example {example.id}", "its answer is no line of text", "mend it")
    return text


def options_of(example: Example) -> tuple[str, ...]:
    """What an example gives to choose from, in its order; empty where it gives nothing.

    >>> from recombine.records.example import Example
    >>> options_of(Example.of("Is the cap red or blue?", "choose_attr ( red , blue , unique ( find ( cap ) ) )"))
    ('red', 'blue')
    """
    for name in OPTIONS:
        given = field_of(example, name)
        if isinstance(given, tuple | list) and given:
            return tuple(map(str, given))
    if not example.target.startswith(_CHOOSING):
        return ()
    try:
        return tuple(name_of(child.label) for child in parse_scenes(example.target).children[:2])
    except ProgramError:
        return ()


def asked_answers(dataset: Dataset, example: Example, reader: AnswerReader) -> tuple[Asked, ...]:
    """What a question asks for, once for each answer that is right."""
    options = options_of(example)
    found = [reader.gold(answer, options, example.source) for answer in right_answers(dataset, example)]
    if any(asked is None for asked in found):
        problem = f"its answer {field_of(example, ANSWER)!r} says nothing"
        raise RecordError(dataset.name, f"example {example.id}", problem, "give a right answer, or leave it out")
    return tuple(asked for asked in found if asked is not None)


class AskedAnswers:
    """What the questions of a data set ask for, each found once."""

    def __init__(self, dataset: Dataset, reader: AnswerReader) -> None:
        self._dataset, self._reader = dataset, reader
        self._found: dict[str, tuple[Asked, ...]] = {}

    def __call__(self, example: Example) -> tuple[Asked, ...]:
        """What an example asks for."""
        if example.id not in self._found:
            self._found[example.id] = asked_answers(self._dataset, example, self._reader)
        return self._found[example.id]

    @property
    def found(self) -> Mapping[str, tuple[Asked, ...]]:
        """What was found so far, by id."""
        return self._found
