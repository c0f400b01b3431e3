"""Answers in words as a metric: an output is right where it says one of the right answers of its question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import UnreadableAnswerError
from recombine.evaluation.answers.answer_reader import AnswerReader
from recombine.evaluation.answers.asked_answers import AskedAnswers, right_answers
from recombine.evaluation.match.matchers import Matcher

if TYPE_CHECKING:
    from recombine.evaluation.answers.answer_table import AnswerTable
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.world import World

ACCURACY = "accuracy"
"""The metric's name."""


def answer_matcher(dataset: Dataset, table: AnswerTable) -> Matcher:
    """The metric of answers to the questions of a data set, which are read by a table.

    >>> from recombine.evaluation.answers.answer_table import usual_table
    >>> from recombine.workbench import load
    >>> data = load([{"question": "How many?", "answer": "3"}], source="question", target="answer")
    >>> answer_matcher(data, usual_table()).same("3", "There are three of them.", data[0], None)
    True
    """
    reader = AnswerReader(table)
    asked_of = AskedAnswers(dataset, reader)

    def same(gold: str, predicted: str, example: Example, world: World | None) -> bool:
        del gold, world
        readable, refused = False, None
        for asked in asked_of(example):
            try:
                if reader.is_right(predicted, asked):
                    return True
                readable = True
            except UnreadableAnswerError as error:
                refused = refused or error
        if not readable and refused is not None:
            raise refused
        return False

    def gold(example: Example) -> str:
        return str(right_answers(dataset, example)[0])

    def abstains(output: str, example: Example) -> bool:
        return reader.abstains(output) and output.strip() not in map(str, right_answers(dataset, example))

    return Matcher(
        ACCURACY,
        same,
        fields=(("on", "answer"), ("answer_table", table.name)),
        gold=gold,
        abstains=abstains,
        compares="answer",
    )
