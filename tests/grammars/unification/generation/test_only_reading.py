"""Whether words have one reading, by the kernel, is what the chart says."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.errors import DerivationError
from recombine.grammars.unification.generation import only_reading
from recombine.grammars.unification.generation.only_reading import OnlyReading
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.grammars.unification.parsing.question_text import read_question
from recombine.grammars.unification.question_parser import MOST_WORDS, QuestionParser
from recombine.grammars.unification.rules.rule import StartRule

AMBIGUOUS = "Who influenced a film producer that married M2 and married M3"


@pytest.fixture(scope="module")
def words() -> list[list[str]]:
    """The words of drawn questions, and of texts that are near them: most of those have no reading, or another."""
    maker = QuestionMaker("cfq", max_level=30)
    drawn = [read_question(question.pattern).words for question in maker.lot(3, 0, 120).questions]
    numbers = np.random.default_rng(1)
    vocabulary = sorted(maker.parser.chart.vocabulary)
    near = []
    for text in drawn:
        place = int(numbers.integers(len(text)))
        near += [
            [*text[:place], str(numbers.choice(vocabulary)), *text[place + 1 :]],
            [*text[:place], str(numbers.choice(text)), *text[place + 1 :]],
            text[place:],
            [*text, "and", *text[place:]],
            [*text[:place], "that", *text[place:]],
        ]
    return [*drawn, *near, read_question(AMBIGUOUS).words, [], ["who"]]


def by_the_chart(parser: QuestionParser, words: list[str]) -> StartRule | None:
    """What makes the only reading a text, from all readings in full."""
    found = parser.chart.parse(words)
    return found[0][0] if len(found) == 1 and found[0][1].count_readings() == 1 else None


def test_the_kernel_says_what_the_chart_says(cfq: QuestionParser, words: list[list[str]]) -> None:
    only = OnlyReading(cfq.chart)
    said = [only.start(each) for each in words]
    assert said == [by_the_chart(cfq, each) for each in words]
    assert None not in said[:120]
    assert {start.function for start in said if start is not None} == {"get_specializations", "get_set_truth"}
    assert sum(start is None for start in said) > 300
    assert only.start(read_question(AMBIGUOUS).words) is None
    assert len(list(cfq.iter_readings(AMBIGUOUS))) == 2


def test_what_has_no_room_is_asked_of_the_chart(
    cfq: QuestionParser, words: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(only_reading, "_MOST_NODES", 25)
    only, asked = OnlyReading(cfq.chart), []
    parse = cfq.chart.parse
    monkeypatch.setattr(cfq.chart, "parse", lambda text: asked.append(text) or parse(text))
    said = [only.start(each) for each in words[:120]]
    assert 20 < len(asked) < 120
    assert said == [by_the_chart(cfq, each) for each in words[:120]]


def test_a_text_that_is_too_long_is_said(cfq: QuestionParser) -> None:
    with pytest.raises(DerivationError, match="a question of 201 words; 200 are read at most"):
        OnlyReading(cfq.chart).start(["and"] * (MOST_WORDS + 1))
