from __future__ import annotations

import json

import pytest
from made_programs import drawing, some_call, some_python

import recombine
from recombine.errors import OptionError, RecombineError
from recombine.languages import suggest_language as module
from recombine.languages.known import LANGUAGES
from recombine.languages.suggest_language import MANY, ORDER, suggest_language


def test_every_language_but_actions_is_tried() -> None:
    own = {name for name in LANGUAGES if not LANGUAGES.origin(name)}
    assert set(ORDER) == own - {"actions"}
    assert len(ORDER) == len(set(ORDER))


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (["select name from city where size > 3", "select count(*) from river"], "all 2 targets read as sql"),
        (['{"name": "f", "arguments": {"a": 1}}', "[1, 2]"], "all 2 targets read as json"),
        (["[IN:GET_TIME in [SL:LOCATION Rome ] ]", "[IN:GET_TIME ]"], "all 2 targets read as top"),
        (["count ( find ( dog ) )", "exists ( scene ( ) )"], "all 2 targets read as covr"),
        (["(AND film.film (JOIN film.director m.1))", "(COUNT film.film)"], "all 2 targets read as sexpression"),
        (["SELECT ?x WHERE { ?x wdt:P31 wd:Q515 }"], "the one target can be read as sparql11"),
        (["get(city='Rome', n=3)", "get(x).head()"], "all 2 targets read as python"),
        (["f ( looking at , b )", "f ( a )"], "all 2 targets read as funql (functional and brackets"),
        (["[f a (g b)]", "{a, b}"], "all 2 targets read as brackets (text reads them too)"),
        (["walk left twice", "walk"], "all 2 targets read as text"),
        (["f(a", "f(a)"], "all 2 targets read as text"),
        (["", "a"], "no language of the list reads all targets"),
        ([], "name it with --language"),
    ],
)
def test_the_most_specific_language_that_reads_all_is_named(texts: list[str], named: str) -> None:
    said = suggest_language(texts)
    assert said.startswith("name it with --language")
    assert named in said
    assert suggest_language(reversed(texts)) == said


def test_made_calls_are_known() -> None:
    draw = drawing(3)
    assert "all 40 targets read as json" in suggest_language(json.dumps(some_call(draw)) for _ in range(40))
    assert "all 40 targets read as python" in suggest_language(some_python(draw) for _ in range(40))


def test_one_that_reads_nearly_all_is_named_with_its_number() -> None:
    texts = [f"select a{number} from t" for number in range(40)] + ["select from where"]  # noqa: S608
    said = suggest_language(texts)
    assert "all 41 targets read as text; 40 of 41 read as sql" in said


def test_the_work_has_a_bound_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = suggest_language(f"f ( x{number} )" for number in range(5_000))
    assert f"all of the {MANY:,} targets that were tried, of 5,000, read as python" in said
    monkeypatch.setattr(module, "MOST_CHARACTERS", 100)
    assert "all of the 11 targets that were tried, of 5,000," in suggest_language(
        f"f ( x{n:02d} )" for n in range(5_000)
    )


PAIRS = [(f"q{number}", f"select a{number % 7} from t where b = {number}") for number in range(30)]  # noqa: S608


@pytest.mark.parametrize("by", ["tmcd", "template", "local-structure"])
def test_errors_name_the_language(by: str) -> None:
    with pytest.raises(RecombineError, match=r"name it with --language: all 30 targets read as sql"):
        recombine.split(PAIRS, by=by, test=0.3)


def test_selecting_names_the_language() -> None:
    with pytest.raises(OptionError, match="read as sql"):
        recombine.select(PAIRS, k=3, by="template")
