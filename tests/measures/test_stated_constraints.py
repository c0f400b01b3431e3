"""What a signature states is counted again from the parts, by hand and on splits that the search makes."""

from __future__ import annotations

from typing import Any

import pytest

import recombine
from recombine.errors import InfeasibleError, SplitError
from recombine.measures.stated_constraints import STATED, stated_constraints
from recombine.records.dataset import Dataset
from recombine.records.split import Split

DEEP = "f ( g ( h ( a ) ) )"
FEW = [("w w", DEEP), ("w w", "a"), ("w w w w", DEEP), ("w w w w", DEEP), ("v", "a")]
SYMBOLS = "atoms=symbols,presence;compounds=tree:2-2,counts"


def data(language: str | None = "funql") -> Dataset:
    return recombine.load(FEW, language=language)


def cut(rows: tuple[list[int], list[int], list[int]], **stated: object) -> Split:
    made = data()
    named = zip(("train", "dev", "test"), rows, strict=True)
    parts = {name: tuple(made[row].id for row in part) for name, part in named if part}
    return Split(parts, made.name, made.hash, recombine.Signature.of(by="tmcd", optimised=SYMBOLS, **stated))


@pytest.mark.parametrize(
    ("rows", "stated", "problem"),
    [
        (([0], [], [2]), {}, ""),
        # Four atoms with 1/4 each in train, one with 1 in the other part: D_A = 1 − √(1/4).
        (([0], [], [1]), {"max_atom_divergence": 0.5}, ""),
        (([0], [], [1]), {"max_atom_divergence": 0.49}, "D_A of test is 0.5000, above the stated cap of 0.49"),
        (([0], [1], [2]), {"max_atom_divergence": 0.3}, "D_A of dev is 0.5000, above the stated cap of 0.3"),
        # By tokens of the text there are two brackets more: D_A = 1 − √(1/6).
        (
            ([0], [], [1]),
            {"max_atom_divergence": 0.55, "optimised": "atoms=tokens,presence;compounds=path:1-2"},
            "D_A of test is 0.5918, above the stated cap of 0.55",
        ),
        (([0], [], [2, 3]), {"quota": "source=2"}, ""),
        (([0], [], [2, 3]), {"quota": "source=1"}, "a source pattern has 2 test examples, above the stated quota of 1"),
        (([2], [], [0, 1]), {"quota": "target=1"}, ""),
        (([2], [], [1, 4]), {"quota": "target=1"}, "a target pattern has 2 test examples, above the stated quota of 1"),
        (([0], [], [2, 3]), {"distinct": "source=1"}, ""),
        (([0], [], [2, 3]), {"distinct": "source=2"}, "test has 1 distinct source patterns, fewer than the stated 2"),
        (([2], [], [0, 1]), {"distinct": "target=2"}, ""),
        (([0, 2], [], [1]), {"min_atom_count": 2}, ""),
        (([0], [], [1]), {"min_atom_count": 2}, "1 examples of test hold atoms seen less than the stated 2 times"),
        (([0, 1], [], [2]), {"min_compounds": 1}, ""),
        (([0], [], [1]), {"min_compounds": 0}, ""),
        (([0], [], [1]), {"min_compounds": 1}, "1 examples of test hold fewer compounds than the stated 1"),
        (([0], [1, 4], [2]), {"min_compounds": 1}, "2 examples of dev hold fewer compounds than the stated 1"),
        (([0], [], [2]), {"length_ratio": "source=0.5:1"}, ""),
        (([0], [], [2]), {"length_ratio": "source=0.2:0.5"}, ""),
        (
            ([0], [], [2]),
            {"length_ratio": "source=0.6:1"},
            "the source length ratio is 0.5000, outside the stated 0.6:1",
        ),
        (
            ([0], [], [2]),
            {"length_ratio": "source=0.1:0.4"},
            "the source length ratio is 0.5000, outside the stated 0.1:0.4",
        ),
        (([0], [], [1]), {"no_duplicates": True}, ""),
        (([0], [3], [2]), {"no_duplicates": True}, "2 tested programs are in train, though no_duplicates is stated"),
    ],
)
def test_by_hand(rows: tuple[list[int], list[int], list[int]], stated: dict[str, Any], problem: str) -> None:
    split = cut(rows, **{name: value for name, value in stated.items() if name != "optimised"})
    if "optimised" in stated:
        signature = split.signature.with_fields(optimised=stated["optimised"])
        split = Split(split.parts, split.data, split.data_hash, signature)
    found = stated_constraints(data(), split)
    assert (found.problems, found.not_checked) == ([problem] if problem else [], [])


def test_what_cannot_be_checked_is_said() -> None:
    split = cut(([0], [], [1]), max_atom_divergence=0.3, quota="source=1")
    unknown = stated_constraints(data(None), split)
    assert unknown.problems == []
    (said,) = unknown.not_checked
    assert said.startswith("the stated max_atom_divergence were not checked: ")
    assert "language" in said
    other = stated_constraints(recombine.Dataset("other", data().examples, {}, SYMBOLS, data().language), split)
    assert other.not_checked == [
        "the stated quota were not checked: the split was made for records, and other may have other patterns"
    ]
    fewer = stated_constraints(recombine.load(FEW[:1], language="funql"), split)
    assert fewer.not_checked == [
        "the stated max_atom_divergence, quota were not checked: 1 ids are not in records",
    ]
    assert (
        stated_constraints(data(), Split(split.parts, "records", "", recombine.Signature.of(by="random"))).problems
        == []
    )


@pytest.mark.parametrize(
    "stated", [{"quota": "5"}, {"quota": "left=5"}, {"length_ratio": "1"}, {"max_atom_divergence": "low"}]
)
def test_an_unreadable_statement_is_refused(stated: dict[str, str]) -> None:
    with pytest.raises(SplitError, match="which cannot be read"):
        stated_constraints(data(), cut(([0], [], [1]), **stated))


OUTER, TYPES, PLACES = ("largest", "longest", "count"), ("city", "river", "state"), ("loc_2", "next_to_2")
PROGRAMS = [
    (f"{o} {t} {p} {n}" + " please" * (n % 3), f"answer ( {o} ( intersection ( {t} , {p} ( m{n} ) ) ) )")
    for o in OUTER
    for t in TYPES
    for p in PLACES
    for n in range(3)
]


@pytest.mark.parametrize(
    "options",
    [
        {"max_atom_divergence": 0.05},
        {"quota": 2, "distinct": 10},
        {"min_atom_count": 3, "length_ratio": "source=0.8:1.25"},
        {"no_duplicates": True},
    ],
)
def test_a_split_of_the_search_keeps_what_it_states(options: dict[str, Any]) -> None:
    programs = recombine.load(PROGRAMS, language="funql")
    split = recombine.split(programs, by="tmcd", test=18, seed=1, effort=0.01, **options)
    assert {name for name in STATED if split.signature.get(name)} >= set(options)
    found = stated_constraints(programs, split)
    assert (found.problems, found.not_checked) == ([], [])


def test_the_best_effort_states_what_it_misses() -> None:
    programs = recombine.load(PROGRAMS, language="funql")
    with pytest.raises(InfeasibleError) as caught:
        recombine.split(programs, by="tmcd", test=17, seed=1, effort=0.01, max_atom_divergence=1e-9)
    assert isinstance(caught.value.best, Split)
    (problem,) = stated_constraints(programs, caught.value.best).problems
    assert problem.startswith("D_A of test is 0.0")


def test_check_counts_a_broken_promise_as_a_problem() -> None:
    split = cut(([0], [], [2]), max_atom_divergence=0.5, length_ratio="source=0.6:1")
    checked = recombine.check(data(), split)
    assert checked["problems"] == ["the source length ratio is 0.5000, outside the stated 0.6:1"]
    (said,) = (text for text in recombine.check(data(None), split)["not_checked"] if "stated" in text)
    assert said.startswith("the stated max_atom_divergence were not checked: ")
