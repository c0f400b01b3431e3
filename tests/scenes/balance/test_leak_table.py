"""Answers guessed without pictures: each line is right on data made so that one thing gives the answer away."""

from __future__ import annotations

from itertools import product

from recombine.languages.scenes import parse_scenes
from recombine.scenes.balance.answer_class import answer_class, operators_of, read_answer
from recombine.scenes.balance.leak_table import (
    ASKED,
    BOTH,
    IMAGES,
    NOUN,
    OPERATOR,
    TEMPLATE,
    WORDS,
    Guessed,
    leak_table,
    trials_of,
)
from recombine.scenes.balance.question_form import question_form
from recombine.scenes.balance.word_model import WordModel


def shares(questions: list[Guessed], parts: list[str]) -> dict[str, float]:
    return {line.by: line.overall for line in leak_table(questions, parts)}


def in_parts(questions: list[Guessed]) -> tuple[list[Guessed], list[str]]:
    """The questions twice: for train and for test."""
    return questions * 2, ["train"] * len(questions) + ["test"] * len(questions)


def test_what_says_nothing_of_the_answer_gives_the_majority() -> None:
    rows = [
        Guessed(f"is number {number}?", "A", operator, operator, images, answer)
        for number, (operator, images, answer) in enumerate(product(("all", "some"), (2, 3), ("true", "true", "false")))
    ]
    said = shares(*in_parts(rows))
    assert {said[by] for by in (TEMPLATE, OPERATOR, IMAGES, BOTH, ASKED)} == {2 / 3}


def test_an_operator_or_a_number_of_images_that_gives_the_answer_away_is_seen() -> None:
    by_operator = [Guessed(f"q {n}", "A", "all" if n % 2 else "some", "", 3, str(n % 2)) for n in range(20)]
    said = shares(*in_parts(by_operator))
    assert (said[TEMPLATE], said[OPERATOR], said[IMAGES], said[BOTH]) == (0.5, 1.0, 0.5, 1.0)
    by_images = [Guessed(f"q {n}", "A", "all", "", 2 + n % 2, str(n % 2)) for n in range(20)]
    said = shares(*in_parts(by_images))
    assert (said[TEMPLATE], said[OPERATOR], said[IMAGES], said[BOTH]) == (0.5, 0.5, 1.0, 1.0)


def test_what_is_asked_is_seen_where_operators_are_the_same() -> None:
    rows = [Guessed(f"q {n}", "A", "count", f"count {n % 2}", 3, str(n % 2)) for n in range(20)]
    said = shares(*in_parts(rows))
    assert (said[TEMPLATE], said[OPERATOR], said[BOTH], said[ASKED]) == (0.5, 0.5, 0.5, 1.0)


def test_what_is_asked_of_a_noun_is_seen() -> None:
    rows = [Guessed(f"q {n}", "A", "count", "count", 3, str(n % 2), ("cap", "hat")[n % 2]) for n in range(20)]
    said = shares(*in_parts(rows))
    assert (said[ASKED], said[NOUN]) == (0.5, 1.0)


def test_words_that_give_the_answer_away_are_seen() -> None:
    rows = [
        Guessed(f"is the {'red' if n % 2 else 'blue'} cap {n} here?", "A", "x", "", 3, str(n % 2)) for n in range(40)
    ]
    said = shares(*in_parts(rows))
    assert (said[TEMPLATE], said[WORDS]) == (0.5, 1.0)


def test_a_key_seen_once_is_not_judged_by_itself() -> None:
    # every number of images occurs once: fitted and judged on the same questions it would be right each time
    rows = [Guessed(f"q {n}", "A", "all", "", n, "x" if n < 30 else str(n)) for n in range(40)]
    parts = ["train" if n % 2 else "test" for n in range(40)]
    said = shares(rows, parts)
    assert said[IMAGES] == said[TEMPLATE] == 0.75


def test_without_parts_twins_are_on_one_side() -> None:
    rows = [Guessed(f"q {n // 2}", "A", "all", "", 3, str(n % 2)) for n in range(60)]
    for fitted, judged in trials_of(rows, ["train"] * 60):
        assert not {rows[place].source for place in fitted} & {rows[place].source for place in judged}
    assert {line.overall for line in leak_table(rows, ["train"] * 60)} == {0.5}


def test_of_a_choice_it_is_guessed_which_of_the_two_it_is() -> None:
    program = parse_scenes("choose_rel ( on , under , unique ( find ( cup ) ) , find ( table ) )")
    assert answer_class(program, "on") == "the first choice"
    assert answer_class(program, "under") == "the second choice"
    assert answer_class(parse_scenes("count ( find ( cup ) )"), 2) == "2"


def test_operators_say_nothing_of_objects_types_and_numbers() -> None:
    program = parse_scenes("geq ( count ( keep_eq ( group_by_images ( filter ( red , find ( cap ) ) ) , 2 ) ) , 1 )")
    assert operators_of(program) == "geq count keep_eq group_by_images"
    assert operators_of(parse_scenes("query_attr [ color ] ( unique ( find ( cap ) ) )")) == "query_attr unique"


def test_a_form_is_operators_numbers_and_what_an_open_question_asks_for() -> None:
    def form(program: str) -> str:
        return question_form(parse_scenes(program))

    held = "with_relation_object ( assert_unique ( find ( man ) ) , pulling:_with , scene ( ) )"
    assert form(f"query_name ( unique ( {held} ) )") == "query_name unique pulling:_with"
    assert form("query_name ( unique ( find ( cap ) ) )") == "query_name unique"
    assert form("query_attr [ color ] ( unique ( find ( cap ) ) )") == "query_attr unique color"
    # where yes or no is asked for, neither type nor number says anything of the answer; nor does a number in a name
    same = "query_attr [ color ] ( unique ( find ( cap ) ) )"
    assert form(f"eq ( {same} , {same} )") == "eq query_attr unique query_attr unique"
    assert form("all_same [ color ] ( find ( cap ) )") == "all_same"
    assert form("leq ( count ( unique_images ( find ( cap 3 ) ) ) , 3 )") == "leq count unique_images"
    assert form("count ( find ( cap 3 ) )") == "count"
    assert form("count ( keep_eq ( group_by_images ( find ( cap ) ) , 2 ) )") == "count keep_eq group_by_images 2"
    assert form("verify_attr ( red , unique ( find ( cap ) ) )") == "verify_attr unique"


def test_answers_of_tables_are_read_back() -> None:
    assert [read_answer(each) for each in ("true", "false", "0", "red", 3, True)] == [True, False, 0, "red", 3, True]


def test_the_word_model_weighs_words_against_each_other() -> None:
    texts = ["red cap"] * 9 + ["red hat"] + ["blue hat"] * 9 + ["blue cap"]
    model = WordModel(texts, ["yes"] * 10 + ["no"] * 10)
    assert model.guess(["red cap", "blue hat", "a red dog", "a blue dog"]) == ["yes", "no", "yes", "no"]
