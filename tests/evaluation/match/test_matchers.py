"""Matchers: what they are given, how often they are asked, and for which data a registered one is a metric."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

import recombine
from recombine.errors import OptionError, ProgramError, RecordError, UnknownNameError
from recombine.evaluation.match.judge import Verdict, judge
from recombine.evaluation.match.matchers import OWN_KEYS, Matcher, further_matchers, register_matcher
from recombine.evaluation.score import score
from recombine.languages.known import find_language
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.records.world import WorldReference

DATA = recombine.load([("jump", "I_JUMP"), ("hop", "I_JUMP"), ("run", "I_RUN"), ("walk", "I_WALK")], language="actions")
IDS = [example.id for example in DATA]
RIGHT, WRONG, MALFORMED, ABSTAINED, UNSUPPORTED = Verdict


def split_of(dataset: Dataset) -> Split:
    return Split({"test": tuple(dataset.index)}, dataset.name, dataset.hash, Signature.of(data=dataset, by="hand"))


def outputs(*texts: str) -> dict[str, str]:
    return dict(zip(IDS, texts, strict=True))


def refuse(program: str) -> str:
    if program == "bad":
        raise ProgramError("toy", 0, "is bad", "mend it")
    return program.lower()


def alike(gold: str, predicted: str, example: Example, world: object) -> bool:
    """Compares both programs at once, as an order of what may be left out would; it has no key."""
    assert world is None
    assert example.target == gold
    return refuse(predicted).startswith(refuse(gold)[:3])


BY_BOTH = Matcher("alike", alike)
BY_KEY = Matcher.of("lower", refuse)


@pytest.mark.parametrize("matcher", [BY_BOTH, BY_KEY])
def test_verdicts_with_and_without_a_key(matcher: Matcher) -> None:
    assert judge(DATA, IDS, outputs("i_jump", "x", "bad", " "), matcher) == (RIGHT, WRONG, MALFORMED, ABSTAINED)


@pytest.mark.parametrize("matcher", [BY_BOTH, BY_KEY])
@pytest.mark.parametrize("output", ["", "x", "bad"])
def test_a_gold_program_that_cannot_be_read_is_an_error(matcher: Matcher, output: str) -> None:
    broken = recombine.load([("jump", "bad")])
    with pytest.raises(RecordError, match=rf"example {broken[0].id}: the gold program cannot be read: .*is bad"):
        judge(broken, [broken[0].id], {broken[0].id: output}, matcher)


def test_a_program_too_deep_for_a_matcher_without_a_key_is_malformed() -> None:
    def deep(gold: str, predicted: str, example: Example, world: object) -> bool:
        return gold == predicted or (predicted != "y" and deep(gold, predicted, example, world))

    assert judge(DATA, IDS[:2], {IDS[0]: "I_JUMP", IDS[1]: "x"}, Matcher("deep", deep)) == (RIGHT, MALFORMED)


def test_a_key_is_computed_once_for_each_text() -> None:
    asked: list[str] = []

    def read(program: str) -> str:
        asked.append(program)
        return refuse(program)

    verdicts = judge(DATA, IDS * 2, outputs("bad", "bad", "I_JUMP", "I_JUMP"), Matcher.of("counted", read))
    assert verdicts == (MALFORMED, MALFORMED, WRONG, WRONG) * 2
    assert sorted(asked) == ["I_JUMP", "I_RUN", "I_WALK", "bad"]


def test_a_key_is_computed_once_for_each_text_and_what_it_depends_on() -> None:
    asked: list[tuple[str, str]] = []

    def key(program: str, example: Example, world: object) -> str:
        del world
        asked.append((program, example.source))
        return program if example.source == "hop" else "any"

    found = judge(DATA, IDS, dict.fromkeys(IDS, "I_RUN"), Matcher.by_key("hops", key))
    assert found == (RIGHT, WRONG, RIGHT, RIGHT)
    assert len(asked) == len(set(asked)) == 7  # for `run`, gold and output are one text
    asked.clear()
    shared = Matcher.by_key("hops", key, depends_on=lambda example: example.source == "hop")
    assert judge(DATA, IDS, dict.fromkeys(IDS, "I_RUN"), shared) == found
    assert len(asked) == 5  # I_JUMP and I_RUN where it is hop, and I_JUMP, I_RUN, I_WALK elsewhere


# -- worlds -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Facts:
    """A world of pairs."""

    facts: dict[str, str]
    kind: str = "facts"
    digest: str = "0123456789abcdef0123"


def answers(program: str, example: Example, world: Any) -> str:
    del example
    return str(world.facts.get(program, program))


ANSWERS = Matcher.by_key("answers_of_facts", answers, needs_world=True)


def test_a_matcher_that_needs_the_world_is_given_it() -> None:
    about = replace(DATA, world=Facts({"I_LEAP": "I_JUMP", "I_STEP": "I_WALK"}))
    given = outputs("I_LEAP", "I_HOP", "I_RUN", "I_STEP")
    scored = score(about, split_of(about), given, matchers={ANSWERS.name: ANSWERS})
    assert scored.verdicts[ANSWERS.name] == (RIGHT, WRONG, RIGHT, RIGHT)
    assert scored.exact_match == 0.25
    assert scored.signature.get("world") == "facts@0123456789abcdef"
    other = replace(DATA, world=Facts({}, digest="f" * 64))
    assert score(other, split_of(other), given, matchers={ANSWERS.name: ANSWERS}).signature != scored.signature


def test_without_a_world_it_is_refused() -> None:
    with pytest.raises(OptionError, match=r"answers_of_facts needs a world, and records has none; .*--world"):
        score(DATA, split_of(DATA), outputs("", "", "", ""), matchers={ANSWERS.name: ANSWERS})


def test_a_world_is_opened_only_for_those_who_need_it() -> None:
    gone = replace(DATA, world=WorldReference("facts", "nowhere/facts.json", "0" * 64))
    given = outputs("I_JUMP", "I_JUMP", "I_RUN", "I_WALK")
    scored = score(gone, split_of(gone), given, matchers={"lower": BY_KEY})
    assert (scored.exact_match, scored.signature.get("world")) == (1, "")
    with pytest.raises(recombine.RecombineError, match="no such world"):
        score(gone, split_of(gone), given, matchers={ANSWERS.name: ANSWERS})


# -- registered ---------------------------------------------------------------------------------------------------


def metrics(dataset: Dataset, *asked: str) -> list[str]:
    return list(further_matchers(dataset.language, asked))


def test_a_registered_matcher_is_a_metric_of_its_languages() -> None:
    register_matcher(BY_KEY, languages=("actions", "covr"))
    assert metrics(DATA) == ["lower"]
    assert metrics(replace(DATA, language=find_language("funql"))) == []
    assert metrics(replace(DATA, language=find_language("sql"))) == ["set_match"]
    scored = score(DATA, split_of(DATA), outputs("i_jump", "x", "bad", " "))
    record = scored.to_record()
    assert (record["exact_match"], record["lower"]) == (0, 0.25)
    assert record["intervals"].keys() == {"exact_match", "lower"}
    assert scored.signature.get("metric") == "exact_match,lower"


def test_a_matcher_for_all_is_a_metric_of_data_without_a_language_too() -> None:
    register_matcher(BY_KEY, languages=None)
    assert [metrics(data) for data in (DATA, recombine.load([("a", "b")]))] == [["lower"], ["lower"]]
    assert metrics(replace(DATA, language=find_language("sql"))) == ["set_match", "lower"]


def test_a_matcher_for_none_must_be_asked_for() -> None:
    register_matcher(BY_KEY)
    assert metrics(DATA) == []
    assert metrics(DATA, "lower", "lower", "exact_match") == ["lower"]
    with pytest.raises(UnknownNameError, match="unknown metric 'lowre'; did you mean 'lower'"):
        further_matchers(None, ["lowre"])


@pytest.mark.parametrize("name", ["exact_match", *OWN_KEYS])
def test_no_metric_takes_the_place_of_what_a_score_has(name: str) -> None:
    with pytest.raises(OptionError, match="a metric cannot be named"):
        register_matcher(replace(BY_KEY, name=name))


def test_the_names_that_are_taken_are_all_of_a_record() -> None:
    assert set(score(DATA, split_of(DATA), dict.fromkeys(IDS, "")).to_record()) <= {"exact_match", *OWN_KEYS}


def test_a_name_is_taken_once_and_languages_are_a_list() -> None:
    with pytest.raises(OptionError, match="there is a metric 'set_match' already, of the package"):
        register_matcher(replace(BY_KEY, name="set_match"))
    with pytest.raises(OptionError, match=r"the languages of lower are the text 'sql'; give \('sql',\)"):
        register_matcher(BY_KEY, languages="sql")
