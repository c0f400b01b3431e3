"""Questions drawn from rules: levels, distinctness, what is dropped, other domains, bad input."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import orjson
import pytest

from recombine.errors import OptionError, RecordError, SizeError
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.grammars.unification.generation.random_numbers import RandomNumbers
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.records.derivation import Derivation, rule_kind


@pytest.fixture(scope="module")
def maker() -> QuestionMaker:
    return QuestionMaker("cfq")


def test_questions_of_a_lot_are_distinct_and_parse_back(maker: QuestionMaker, cfq: QuestionParser) -> None:
    lot = maker.lot(1, 0, 250)
    assert len({question.pattern for question in lot.questions}) == 250
    for question in lot.questions:
        reading = cfq.parse(question.pattern)
        assert reading.readings == 1
        assert reading.query == question.query
        assert orjson.loads(question.derivation) == cfq.graph(reading).to_rows()
        assert reading.words.entities == [f"M{place}" for place in range(len(reading.words.entities))]
        grammar = [rule for rule in cfq.graph(reading).rules[1:] if rule_kind(rule) == "grammar"]
        assert question.level == len(grammar) + 1 <= maker.max_level
        assert question.closed == (reading.query.head == "SELECT count(*) WHERE")


def test_a_lot_depends_on_its_arguments_alone(maker: QuestionMaker) -> None:
    again = QuestionMaker("cfq")
    third = again.lot(7, 3, 40)
    assert maker.lot(7, 3, 40) == third  # other lots were made before
    assert [q.pattern for q in again.lot(7, 4, 40).questions] != [q.pattern for q in third.questions]
    assert [q.pattern for q in again.lot(8, 3, 40).questions] != [q.pattern for q in third.questions]


def test_a_lot_does_not_depend_on_the_order_of_hashes() -> None:
    program = (
        "from recombine.grammars.unification.generation.question_maker import QuestionMaker;"
        "print(QuestionMaker('cfq', max_level=20).lot(3, 1, 30))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert len(printed.pop()) > 1000


def test_levels_are_all_drawn(maker: QuestionMaker) -> None:
    levels = Counter(question.level for question in maker.lot(1, 5, 400).questions)
    full = [level for level in maker.levels if maker.trees_by_level[level] > 10_000]
    assert set(full) <= set(levels)
    assert max(levels) == maker.max_level
    assert max(levels[level] for level in full) < 5 * min(levels[level] for level in full)


APPENDIX_M = [
    *("S=WHQ", "WHQ=NPQ_INDIRECT_VP_INDIRECT", "NPQ_INDIRECT=WHO", "VP_INDIRECT=VP_INDIRECT_DP"),
    *("VP_INDIRECT=ACTIVE_VP", "ACTIVE_VP=VP_SIMPLE", "VP_SIMPLE=VP", "VP=DIRECTED", "DP=ENTITY", "ENTITY=[ENTITY]"),
]


def test_who_directed_m0_is_made_with_the_rules_of_appendix_m(cfq: QuestionParser) -> None:
    unused = {rule.name for rule in cfq.rules.grammar}.difference(APPENDIX_M)
    maker = QuestionMaker("cfq", max_level=11, unused=unused)
    assert maker.trees_by_level == {11: 1}
    (question,) = maker.lot(1, 0, 5).questions
    assert question.pattern == "Who directed M0"
    graph = Derivation.from_rows(orjson.loads(question.derivation))
    kinds = Counter(rule_kind(rule) for rule in graph.rules[1:])
    assert kinds == {"grammar": 10, "inference": 9, "resolution": 12, "knowledge": 9}
    assert sorted(rule for rule in graph.rules[1:] if rule_kind(rule) == "grammar") == sorted(APPENDIX_M)


def test_what_has_two_readings_is_dropped(recipes: Path) -> None:
    with (recipes / "more.rules").open("w", encoding="utf-8") as file:
        file.write(
            "%grammar\nTHING=SOME~again:\n    THING/TypeInstance(_noun, new_var($V))\n"
            "    → 'some' NOUN(number:plural, kind:dish)/_noun\n"
        )
    lot = QuestionMaker(str(recipes), max_level=6).lot(1, 0, 20)
    assert [q.pattern for q in lot.questions if "some" in q.pattern] == []
    assert lot.rejected["ambiguous"] == 2  # "which cook makes some soups", and of cooks; each by one of two trees


def test_what_has_no_query_is_dropped(recipes: Path) -> None:
    rules = (recipes / "recipes.rules").read_text(encoding="utf-8").replace("→ Type(Soup, 'kitchen.soup')", "")
    (recipes / "recipes.rules").write_text(rules, encoding="utf-8")
    lot = QuestionMaker(str(recipes), max_level=6).lot(1, 0, 20)
    assert {q.pattern for q in lot.questions} == {
        *("Which cook makes M0", "Which cooks make M0", "Name cook", "Name cooks"),
    }
    assert lot.rejected["no_query"] == 4  # two that name soup, two that make some soups


def test_the_rules_of_another_domain(recipes: Path) -> None:
    maker = QuestionMaker(str(recipes), max_level=8)
    # By hand: "name" and four nouns is three rules and the join; "which cook makes" is three rules and a thing, twice.
    assert maker.trees_by_level == {4: 4, 5: 2, 6: 2, 7: 2, 8: 2}
    assert maker.trees == 12
    lot = maker.lot(1, 0, 12)
    assert {question.pattern for question in lot.questions} == {
        *("Name cook", "Name cooks", "Name soup", "Name soups"),
        *("Which cook makes M0", "Which cooks make M0", "Which cook makes some soups", "Which cooks make some soups"),
        *("Which cook makes some soups with M0", "Which cooks make some soups with M0"),
        *("Which cook makes some soups with some soups", "Which cooks make some soups with some soups"),
    }
    by_pattern = {question.pattern: question for question in lot.questions}
    assert by_pattern["Which cook makes M0"].query.short() == (
        "SELECT DISTINCT ?x0 WHERE { ?x0 a kitchen.cook . ?x0 kitchen.makes M0 }"
    )
    assert by_pattern["Which cook makes M0"].frame == "S=WHICH_NOUN_VERB_THING"
    assert by_pattern["Name soups"].frame == "S=NAME_THING"


def test_more_than_the_rules_can_give(recipes: Path) -> None:
    maker = QuestionMaker(str(recipes), max_level=8)
    maker.check_number(12)
    with pytest.raises(SizeError, match="make 12 questions at most up to level 8, not 13; ask for fewer"):
        maker.check_number(13)
    lot = maker.lot(1, 0, 500)
    assert len(lot.questions) == 12
    assert sum(lot.rejected.values()) < 500  # it stops once all are drawn


@pytest.mark.parametrize(
    ("level", "problem"),
    [
        (3, "make no question up to level 3; the smallest question has level 4"),
        (0, "the highest level is 0; give a whole number from 1 to 200"),
        (-1, "the highest level is -1"),
        (201, "the highest level is 201"),
        (True, "the highest level is True"),
    ],
)
def test_a_level_that_has_no_question(recipes: Path, level: int, problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        QuestionMaker(str(recipes), max_level=level)


def test_rules_without_a_question(recipes: Path) -> None:
    (recipes / "weights.toml").write_text("[rules]\n'NOUN=*' = 0\n", encoding="utf-8")
    with pytest.raises(OptionError, match="make no question; give weight to some"):
        QuestionMaker(str(recipes))


def test_weights_say_how_often(recipes: Path) -> None:
    (recipes / "weights.toml").write_text(
        "max_level = 5\nmost_of_a_level = 0\n[rules]\n'NOUN=SOUP' = 3\n'NOUN=COOKS' = 0", "utf-8"
    )
    maker = QuestionMaker(str(recipes))
    assert maker.trees_by_level == {4: 3, 5: 1}
    firsts = Counter(maker.lot(seed, 0, 1).questions[0].pattern for seed in range(400))
    # By hand: half are of level 4; of these 3 of 5 name soup, 1 soups and 1 a cook.
    assert firsts["Which cook makes M0"] / 400 == pytest.approx(1 / 2, abs=0.08)
    assert firsts["Name soup"] / 400 == pytest.approx(3 / 10, abs=0.08)
    assert firsts["Name soups"] / 400 == pytest.approx(1 / 10, abs=0.05)


def test_weights_of_a_place(recipes: Path) -> None:
    text = "max_level = 7\n[parts.'KIND=NOUN'.1]\n'NOUN=SOUP' = 1\n[parts.'S=WHICH_NOUN_VERB_THING'.1]\n'NOUN=COOK' = 1"
    (recipes / "weights.toml").write_text(text, encoding="utf-8")
    maker = QuestionMaker(str(recipes))
    assert maker.trees_by_level == {4: 1, 5: 1, 6: 1, 7: 1}
    assert {question.pattern for question in maker.lot(1, 0, 9).questions} == {
        *("Name soup", "Which cook makes M0", "Which cook makes some soups", "Which cook makes some soups with M0"),
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[rules]\n'NOUN=SOP' = 1", "table rules: unknown rule 'NOUN=SOP'; did you mean 'NOUN=SOUP'"),
        ("[rules]\n'NOUN=SOUP' = -1", "table rules, 'NOUN=SOUP': -1 is no weight"),
        ("[rules]\n'NOUN=SOUP' = nan", "is no weight"),
        ("[rules]\n'NOUN=SOUP' = 'much'", "'much' is no weight"),
        ("rules = 3", "table rules: 3 is no table"),
        ("[rule]\nx = 1", "table 'rule': no such table; known: max_level"),
        ("[parts.'KIND=NOUN'.2]\n'NOUN=SOUP' = 1", "KIND=NOUN has no part '2'; it has 1"),
        ("[parts.'KIND=NUN'.1]\n'NOUN=SOUP' = 1", "did you mean 'KIND=NOUN'"),
        ("max_level = 0", "max_level: the highest level is 0"),
        ("[rules", "this is no TOML"),
    ],
)
def test_weights_that_cannot_be_read(recipes: Path, tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        QuestionMaker(str(recipes), weights=file)
    assert problem in str(caught.value)
    assert str(file) in str(caught.value)


def test_counts_are_those_of_all_trees(recipes: Path) -> None:
    """The dynamic programme against trees listed one by one."""
    maker = QuestionMaker(str(recipes), max_level=14)
    numbers = RandomNumbers(np.random.default_rng(1))
    for level, count in maker.trees_by_level.items():
        drawn = {maker._drawer.draw(level - 1, numbers) for _ in range(60)}
        assert len(drawn) == count


@pytest.mark.parametrize(
    ("question", "frame"),
    [
        ("Was M1 edited by and written by a actor", "Was ENT VP"),
        ("Were M0 and M1 edited by M2", "Were ENTS VP"),
        ("Was a film directed by M1", "Was DESC VP"),
        ("Was M0 a film director", "Was ENT DESC"),
        ("Was M1 ' s child , spouse , and sibling M0", "Was DESC ENT"),
        ("Was M1 ' s child a film director", "Was DESC DESC"),
        ("Was M0 Spanish", "Was ENT ADJ"),
        ("Were M0 and M2 Spanish", "Were ENTS ADJ"),
        ("Did M1 ' s child employ M2", "Did DESC VP"),
        ("Did a person employ M2", "Did DESC VP"),
        ("Did M1 employ M2", "Did ENT VP"),
        ("Did M1 and M2 employ a cinematographer", "Did ENTS VP"),
        ("What was directed by M0", "What VP"),
        ("What did M0 direct", "What did DP V"),
        ("What was M0 ' s sequel", "What was DP"),
        ("Who directed M0", "Who VP"),
        ("Who did M0 marry", "Who did DP V"),
        ("Who was M2 ' s Italian spouse", "Who was DP"),
        ("Which film editor married M1", "Which NP VP"),
        ("Which film editor did M1 marry", "Which NP did DP V"),
        ("Which film editor was M0 ' s spouse", "Which NP was DP"),
        ("What film editor married M1", "What NP VP"),
        ("What film editor did M1 marry", "What NP did DP V"),
        ("What film editor was M0 ' s spouse", "What NP was DP"),
    ],
)
def test_frames_are_those_of_the_real_questions(
    maker: QuestionMaker, cfq: QuestionParser, question: str, frame: str
) -> None:
    def tree(derived):  # type: ignore[no-untyped-def]
        return derived.number, tuple(map(tree, derived.parts))

    assert maker.frames.frame(tree(cfq.parse(question).derived)) == frame


def test_a_frame_that_cannot_be_read(recipes: Path) -> None:
    for text, problem in (
        ("[[frame]]\nname = 'x'\n", "frame 1: a frame has a name, a rule and parts"),
        ("[[frame]]\nname = 'x'\nrule = 'S=NAME'\n", "unknown rule 'S=NAME'; did you mean 'S=NAME_THING'"),
        ("[[frame]]\nname = 'x'\nrule = 'S=NAME_THING'\nparts = { 0 = 'KIND=NOUN' }\n", "'0' is no part"),
    ):
        (recipes / "frames.toml").write_text(text, encoding="utf-8")
        with pytest.raises(RecordError) as caught:
            QuestionMaker(str(recipes))
        assert problem in str(caught.value)


def test_the_rules_of_the_package_are_all_known_to_its_settings() -> None:
    """A rule that is renamed must be renamed in the weights too: what is not named there weighs nothing in a place."""
    maker = QuestionMaker("cfq")
    used = {rule.number for rule in maker._drawer._tables.table.ways.rules}
    assert len(used) == len(read_rule_set("cfq").grammar)
