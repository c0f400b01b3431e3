"""Original FunQL to the published form."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.datasets.published.geoquery_corpus import read_geoquery_corpus
from recombine.errors import ProgramError
from recombine.files import read_text
from recombine.languages.funql import FUNQL
from recombine.languages.funql_rewrite import rewrite_funql

# By hand, one rule each; the second is the example of the paper (App. B.2) inside `answer`.
PAIRS = [
    ("answer(state(all))", "answer ( state )"),
    ("answer(state(next_to_1(state(all))))", "answer ( intersection ( state , next_to_1 ( state ) ) )"),
    ("answer(major(city(all)))", "answer ( intersection ( major , city ) )"),
    ("answer(largest_one(area_1(state(all))))", "answer ( largest_one ( area_1 , state ) )"),
    (
        "answer(smallest_one(density_1(state(loc_2(countryid('usa'))))))",
        "answer ( smallest_one ( density_1 , intersection ( state , loc_2 ( m0 ) ) ) )",
    ),
    ("answer(fewest(river(traverse_2(state(all)))))", "answer ( fewest ( river , traverse_2 , state ) )"),
    (
        "answer(most(state(next_to_2(most(state(loc_1(city(all))))))))",
        "answer ( most ( state , next_to_2 , most ( state , loc_1 , city ) ) )",
    ),
    ("answer(exclude(river(all), traverse_2(stateid('utah'))))", "answer ( exclude ( river , traverse_2 ( m0 ) ) )"),
    ("answer(place(elevation_2(0)))", "answer ( intersection ( place , elevation_2 ( 0 ) ) )"),
]


@pytest.mark.parametrize(("original", "rewritten"), PAIRS)
def test_rules_by_hand(original: str, rewritten: str) -> None:
    found = rewrite_funql(original)
    assert str(found) == rewritten
    assert found.program == FUNQL.parse(rewritten)


def test_spacing_does_not_matter() -> None:
    tight, wide = "answer(city(cityid('new york',_)))", "answer ( city ( cityid ( 'new york' , _ ) ) )"
    assert rewrite_funql(tight) == rewrite_funql(wide)
    assert rewrite_funql(tight).entities == {"m0": "cityid('new york', _)"}


@pytest.mark.parametrize(
    ("entities", "numbers"),
    [
        (("riverid('red')", "stateid('utah')"), (1, 0)),  # the longer name first
        (("stateid('utah')", "riverid('red')"), (0, 1)),
        (("stateid('alaska')", "stateid('hawaii')"), (0, 1)),  # as long as each other: the first in the program
        (("stateid('hawaii')", "stateid('alaska')"), (0, 1)),
        (("stateid('utah')", "stateid('utah')"), (0, 0)),  # the same one twice
        (("stateid('ohio')", "riverid('ohio')"), (0, 1)),  # a name of two entities
    ],
)
def test_numbers_of_placeholders(entities: tuple[str, str], numbers: tuple[int, int]) -> None:
    found = rewrite_funql(f"answer(intersection(loc_1({entities[0]}), loc_2({entities[1]})))")
    assert str(found) == "answer ( intersection ( loc_1 ( m{} ) , loc_2 ( m{} ) ) )".format(*numbers)
    assert [found.entities[f"m{number}"] for number in numbers] == list(entities)


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("state", 0, "'state' alone is no program"),
        ("answer(state)", 6, "'state' cannot stand alone in 'answer'"),
        ("answer(loc_2(m0))", 12, "'m0' cannot stand alone in 'loc_2'"),
        ("answer(largest(all))", 14, "'all' cannot stand alone in 'largest'"),
        ("answer(city(all, all))", 11, "'city' has 2 arguments"),
        ("answer(stateid(utah))", 14, "an entity is written stateid"),
        ("answer(cityid('provo'))", 13, "an entity is written cityid"),
        ("answer(stateid('utah', _))", 14, "an entity is written stateid"),
        ("answer(most(state(all)))", 11, "'most' needs a kind, a relation and a set"),
        ("answer(largest_one(stateid('utah')))", 18, "'largest_one' needs a measure and a set"),
        ("answer(largest_one(state(all)))", 18, "'largest_one' needs a measure and a set"),
        ("answer(largest_one(most(state(loc_1(city(all))))))", 18, "'largest_one' needs a measure and a set"),
        ("answer(fewest(exclude(state(all), city(all))))", 13, "'fewest' needs a kind, a relation and a set"),
        ("answer(state(all)", 6, "not closed"),
    ],
)
def test_what_is_not_original_is_refused_at_its_bracket(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem) as caught:
        rewrite_funql(text)
    assert caught.value.position == position


def test_what_is_rewritten_is_not_rewritten_again() -> None:
    for _, rewritten in PAIRS:
        with pytest.raises(ProgramError, match="cannot stand alone"):
            rewrite_funql(rewritten)


@pytest.mark.shared_data
def test_the_corpus_gives_the_published_programs(data_dir: Path) -> None:
    corpus = read_geoquery_corpus(data_dir / "geoquery" / "corpus.xml.gz")
    lines = read_text(data_dir / "geoquery" / "geo_dataset.tsv").splitlines()
    assert len(corpus) == len(lines) == 880
    published = [line.split("\t")[1] for line in lines]
    assert [str(rewrite_funql(example.program)) for example in corpus] == published
