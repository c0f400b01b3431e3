"""Classes of wrong answers, each by hand: the first that applies."""

from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.evaluation.errors.form_parts import form_parts
from recombine.evaluation.errors.kbqa_errors import CLASSES, NO_CANDIDATES, NO_LINKS, ErrorClassifier, kbqa_errors
from recombine.evaluation.match.form_setting import FormSetting, usual_setting
from recombine.kb.ontology.ontology import Role, ontology_of
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.records.split import parse_split

INT = "http://www.w3.org/2001/XMLSchema#integer"
GOLD = "(AND film.film (JOIN film.film.director m.01))"
CASES = {
    "same in another order": ("(AND (JOIN film.film.director m.01) film.film)", ""),
    "another entity": ("(AND film.film (JOIN film.film.director m.02))", "linking"),
    "another relation": ("(AND film.film (JOIN film.film.writer m.01))", "relation"),
    "the other way": ("(AND film.film (JOIN (R film.film.director) m.01))", "relation"),
    "one relation more": ("(AND film.film (JOIN film.film.director (JOIN film.a.b m.01)))", "relation"),
    "another class": ("(AND film.short (JOIN film.film.director m.01))", "type"),
    "no class": ("(JOIN film.film.director m.01)", "type"),
    "counted": ("(COUNT (AND film.film (JOIN film.film.director m.01)))", "function"),
    "class and function": ("(COUNT (JOIN film.film.director m.01))", "type"),
    "relation before class": ("(AND film.short (JOIN film.film.writer m.01))", "relation"),
    "entity before relation": ("(AND film.film (JOIN film.film.writer m.02))", "linking"),
    "nothing": ("  ", "no output"),
    "half a form": ("(AND film.film (JOIN film.film.director", "unreadable"),
}


@pytest.mark.parametrize(("output", "wanted"), CASES.values(), ids=CASES.keys())
def test_class_of_an_output(output: str, wanted: str) -> None:
    assert ErrorClassifier(usual_setting("sexpression"))(GOLD, output) == wanted


def test_same_parts_in_another_structure_are_other() -> None:
    gold = "(JOIN film.a.b (AND (JOIN film.c.d m.01) (JOIN film.e.f m.02)))"
    output = "(AND (JOIN film.a.b (JOIN film.c.d m.01)) (JOIN film.e.f m.02))"
    assert ErrorClassifier(usual_setting("sexpression"))(gold, output) == "other"


def test_coverage_comes_first_and_then_links() -> None:
    classify = ErrorClassifier(usual_setting("sexpression"))
    one, two = Term.name("m.01"), Term.name("m.02")
    wrong = "(AND film.film (JOIN film.film.writer m.01))"
    assert classify(GOLD, wrong, covered=False, linked=[]) == "coverage"
    assert classify(GOLD, "", covered=False) == "coverage"
    assert classify(GOLD, wrong, covered=True, linked=[two]) == "linking"
    assert classify(GOLD, "", covered=True, linked=[two]) == "linking"
    assert classify(GOLD, wrong, covered=True, linked=[one, two]) == "relation"
    # What is right is right, however it came about.
    assert classify(GOLD, GOLD, covered=False, linked=[]) == ""


def test_a_literal_counts_by_its_value() -> None:
    classify = ErrorClassifier(usual_setting("sexpression"))
    gold = f"(JOIN film.film.length 51^^{INT})"
    decimal = INT.replace("integer", "decimal")
    assert classify(gold, f"(JOIN film.film.width 51^^{decimal})") == "relation"
    assert classify(gold, f"(JOIN film.film.length 52^^{INT})") == "linking"
    # All is as in the gold form but the type in which the value was read.
    assert classify(gold, f"(JOIN film.film.length 51^^{decimal})") == "linking"


def test_a_class_that_a_relation_implies_is_no_part() -> None:
    film, director = Term.name("film.film"), Term.name("film.film.director")
    roles = {director: Role((film,), (Term.name("people.person"),))}
    ontology = ontology_of([], roles, {}, classes={film, Term.name("people.person"), Term.name("film.short")})
    classify = ErrorClassifier(FormSetting("sexpression", find_profile("freebase"), ontology))
    assert classify(GOLD, "(JOIN film.film.director m.01)") == ""
    assert classify(GOLD, "(COUNT (JOIN film.film.director m.01))") == "function"
    assert classify(GOLD, "(AND film.short (JOIN film.film.director m.01))") == "type"


def test_classes_sum_to_the_errors_and_what_is_not_checked_is_said() -> None:
    pairs = {name: (GOLD, output) for name, (output, _) in CASES.items()}
    found = kbqa_errors(pairs, usual_setting("sexpression"))
    assert list(found.counts) == list(CLASSES)
    assert sum(found.counts.values()) == found.errors == len(CASES) - 1
    assert found.unchecked == (NO_CANDIDATES, NO_LINKS)
    record = kbqa_errors(pairs, usual_setting("sexpression"), covered=[], linked={}).to_record()
    assert record["counts"]["coverage"] == record["errors"] == len(CASES) - 1
    assert record["shares"]["coverage"] == 1
    assert record["unchecked"] == []


def test_parts_of_a_superlative_and_of_a_value_with_blanks() -> None:
    parts = form_parts('(ARGMAX (AND (JOIN a.b "x y (z)") c.d) e.f (R g.h))')
    assert parts is not None
    assert dict(parts.named) == {'"x y (z)"': 1}
    assert dict(parts.relations) == {"a.b": 1, "e.f": 1, "(R g.h)": 1}
    assert dict(parts.classes) == {"c.d": 1}
    assert dict(parts.functions) == {"ARGMAX": 1}


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_score_tells_coverage_where_there_is_a_store() -> None:
    data = recombine.load(
        [
            ("which films did Ann direct?", "(JOIN directed_by Ann_Other)"),
            ("which film came last?", "(ARGMAX Film released)"),
            ("who directed Tin Boat?", "(JOIN (R directed_by) Tin_Boat)"),
        ],
        language="sexpression",
    )
    split = parse_split({"train": [], "test": [0, 1, 2]}, "here", data, [example.id for example in data])
    outputs = dict(
        zip(split.parts["test"], ["(JOIN sequel_of Red_Kite)", "", "(JOIN (R directed_by) Tin_Boat)"], strict=True)
    )
    films = Path(__file__).parents[3] / "docs" / "examples" / "films.ttl"
    alone = recombine.score(data, split, outputs, errors=True).to_dict()["errors"]["kbqa"]
    assert alone["counts"]["coverage"] == 0
    assert alone["counts"]["no output"] == 1
    assert alone["errors"] == 2
    assert len(alone["unchecked"]) == 2
    known = recombine.score(data, split, outputs, errors=True, world=films).to_dict()["errors"]["kbqa"]
    # A superlative without an entity is no candidate; the other error names another film.
    assert known["counts"]["coverage"] == known["counts"]["linking"] == 1
    assert known["errors"] == 2
    assert len(known["unchecked"]) == 1
