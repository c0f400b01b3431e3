"""Phrases that speak of things of no sort."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import RecordError
from recombine.grammars.unification.generation.beside_rules import beside_rules
from recombine.grammars.unification.generation.draw_tree import Tree
from recombine.grammars.unification.generation.filters import Filters
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.grammars.unification.generation.sorts import Sorts, reaches
from recombine.grammars.unification.generation.ways import Ways
from recombine.grammars.unification.parsing.chart import Node
from recombine.grammars.unification.parsing.question_text import read_question
from recombine.grammars.unification.question_parser import QuestionParser

WORDS = "[sorts.words]\n'NOUN=COOK*' = { self = 'person' }\n'NOUN=SOUP*' = { self = 'dish' }\n"
WITH = "[sorts.phrases]\n'THING=SOME_WITH' = ['self = 1.self', '1.part = 2.self']\n"


def made(recipes: Path, text: str, level: int = 7) -> set[str]:
    (recipes / "filters.toml").write_text(text, encoding="utf-8")
    return {q.pattern for q in QuestionMaker(str(recipes), max_level=level).lot(1, 0, 50).questions}


def test_slots_of_one_name_are_one_thing(recipes: Path) -> None:
    everything = made(recipes, "")
    left = made(recipes, WORDS)  # a cook is no dish, and "which cook makes some soups" has both in one slot
    assert left == {q for q in everything if "some" not in q}


def test_an_equation_says_which_slots_are_one_thing(recipes: Path) -> None:
    everything = made(recipes, "")
    apart = WORDS + "[sorts.phrases]\n'S=WHICH*' = []\n"
    assert made(recipes, apart) == everything
    verb = WORDS + "'COOK=*' = { object = 'drink' }\n[sorts.phrases]\n'S=WHICH*' = ['2.object = 3.self']\n"
    assert made(recipes, verb) == {q for q in everything if "some" not in q}
    fitting = verb.replace("'drink'", "['drink', 'dish']")
    assert made(recipes, fitting) == everything


def test_what_a_part_says_goes_down_into_the_others(recipes: Path) -> None:
    both = (
        WORDS.replace("'NOUN=SOUP*' = { self = 'dish' }", "'NOUN=SOUP*' = { self = 'dish', part = 'drink' }")
        + "[sorts.phrases]\n'S=WHICH*' = []\n'THING=SOME_WITH' = ['self = 1.self', '1.part = 2.self']\n"
    )
    assert not any("soups with some" in q for q in made(recipes, both, level=9))
    assert any("soups with M0" in q for q in made(recipes, both, level=9))


def test_a_question_that_cannot_be_said_is_dropped_and_counted(recipes: Path) -> None:
    text = "[sorts.words]\n'NOUN=*' = { self = 'dish' }\n'S=*' = { self = 'person' }\n"
    (recipes / "filters.toml").write_text(text, encoding="utf-8")
    questions, rejected = QuestionMaker(str(recipes), max_level=7).lot(1, 0, 5)
    assert questions == []
    assert set(rejected) == {"filtered:sorts"}


def tree_of(parser: QuestionParser, node: Node) -> Tree:
    number, parts = node.ways[0] if len(node.ways) == 1 else parser._best(node)
    return number, tuple([tree_of(parser, part) for part in parts])


@pytest.fixture(scope="module")
def sorts(cfq: QuestionParser) -> Sorts:
    return Filters(cfq.rules.grammar, beside_rules("cfq", "filters.toml")).sorts


@pytest.mark.parametrize(
    ("question", "can_be"),
    [
        ("Which film did M0 marry", False),
        ("Which film editor did M0 marry", True),
        ("Who was directed by M0", False),
        ("What was directed by M0", True),
        ("Was M0 directed and employed by M1", False),
        ("Was M0 directed and written by M1", True),
        ("Did a film ' s director found M0 ' s sequel", False),
        ("Did a film ' s director edit M0 ' s sequel", True),
        ("Was M0 a French film ' s director", None),  # it is not parsed: films take no adjectives
        ("Who was a film ' s spouse", False),
        ("Was a company ' s employee M0", True),
        ("Was M0 a person whose prequel influenced M1", False),
        ("Was M0 a film whose prequel starred M1", True),
        ("Did a company that M0 founded influence M1", False),
        ("Did M0 play a film", True),
        ("Did M0 ' s French distributor distribute M1", True),
    ],
)
def test_what_can_be_said_of_things(cfq: QuestionParser, sorts: Sorts, question: str, can_be: bool | None) -> None:
    found = cfq.chart.parse(read_question(question).words)
    assert bool(found) == (can_be is not None)
    for _, node in found:
        assert (sorts.of_tree(tree_of(cfq, node)) is not None) == can_be


def test_no_drawn_question_speaks_of_things_of_no_sort(cfq: QuestionParser, sorts: Sorts) -> None:
    for question in QuestionMaker("cfq").lot(11, 0, 150).questions:
        ((_, node),) = cfq.chart.parse(read_question(question.pattern).words)
        assert sorts.of_tree(tree_of(cfq, node)) is not None, question.pattern


def test_most_drawn_questions_can_be_grounded() -> None:
    import recombine

    made = recombine.generate("cfq", n=200, seed=3, world_size=60_000)
    assert made["rejected"].get("unsatisfiable", 0) < 40  # more than 200 without sorts


def test_reach_holds_all_that_trees_have(cfq: QuestionParser, sorts: Sorts) -> None:
    ways = Ways(cfq.chart, range(len(cfq.rules.grammar)))
    pairs, rules = reaches(ways, sorts)
    assert all(all(reach) for reach in pairs)  # each pair can be said of something
    films = [n for n, rule in enumerate(ways.rules) if cfq.rules.grammar[rule.number].name == "NP_SIMPLE=FILM"]
    people = [n for n, rule in enumerate(ways.rules) if cfq.rules.grammar[rule.number].name == "NP_SIMPLE=PERSON"]
    assert rules[films[0]][0] != rules[people[0]][0]


@pytest.mark.shared_data
def test_hardly_any_real_question_speaks_of_things_of_no_sort(cfq: QuestionParser, sorts: Sorts) -> None:
    import recombine

    data = recombine.load("cfq/mcd1")
    clashes = 0
    for row in range(0, len(data), 100):
        found = cfq.chart.parse(read_question(data[row].source).words)
        clashes += sorts.of_tree(tree_of(cfq, min((node for _, node in found), key=cfq._cost))) is None
    assert clashes <= len(data) / 100 / 1000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[sorts.verbs]\n'S=*' = {}", "it has other tables than words and phrases"),
        ("[sorts]\nwords = 3", "3 is no table; write rules and their slots"),
        ("[sorts.words]\n'S=X' = { self = 'a' }", "unknown rule 'S=X'"),
        ("[sorts.words]\n'S=*' = 'a'", "'a' has no slots"),
        ("[sorts.words]\n'S=*' = { self = [] }", "self = [] names no sort"),
        ("[sorts.phrases]\n'S=*' = 'self = 1.self'", "'self = 1.self' is no list"),
        (
            "[sorts.phrases]\n'S=NAME*' = ['self = 2.self']",
            "is no equation of slots of S=NAME_THING, which has 1 parts",
        ),
        ("[sorts.phrases]\n'S=NAME*' = ['1.self']", "'1.self' is no equation"),
        ("[sorts.phrases]\n'S=NAME*' = ['self = other = 1.self']", "is no equation of slots"),
        ("[sorts.phrases]\n'S=NAME*' = ['self = 1.']", "is no equation of slots"),
    ],
)
def test_sorts_that_cannot_be_read(recipes: Path, text: str, problem: str) -> None:
    file = recipes / "mine.toml"
    file.write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        QuestionMaker(str(recipes), filters=file)
    assert problem in str(caught.value)
    assert "mine.toml" in str(caught.value)
