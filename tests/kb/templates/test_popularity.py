"""Popularity read from a file, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from facts_of import names, store_of

from recombine.errors import InputWarning, RecordError
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.templates.popularity import Popularity, facts_by_id, popularity_bins
from recombine.kb.term import Term


def test_counts_are_sums_over_surface_forms(tmp_path: Path) -> None:
    path = tmp_path / "mentions.tsv"
    path.write_text("ann\tA\t3\nannie\tA\t40\nbob\tB\t5\n\nann\tA\t2\nbo\tB\n")
    read = Popularity.read(path, find_profile("plain"))
    assert read.counts == {Term.name("A"): 45, Term.name("B"): 6}
    assert read.surface_forms[Term.name("A")] == (("annie", 40), ("ann", 5))


def test_entities_without_facts_are_said_and_those_without_mentions_have_none(tmp_path: Path) -> None:
    store = store_of(names("A p B\nA p C"), tmp_path / "index")
    read = Popularity({Term.name("A"): 7, Term.name("Nobody"): 9})
    with pytest.warns(InputWarning, match="1 of 2 entities with a popularity are in no fact"):
        counts = read.by_id(store)
    assert {store.term(number).text: count for number, count in enumerate(counts.tolist()) if count} == {"A": 7}
    facts = facts_by_id(store)
    assert [int(facts[store.id(Term.name(text))]) for text in "ABC"] == [2, 1, 1]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ann", "has 1 columns"),
        ("ann\tA\tmany", "'many' is no whole number"),
        ("ann\tA\t-1", "'-1' is no whole number"),
        ("ann\t\t1", "has an empty column"),
        ("ann\tA\t" + "9" * 20, "is too large"),
    ],
)
def test_a_bad_line_is_named(line: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "mentions.tsv"
    path.write_text(f"ann\tA\t3\n{line}\n")
    with pytest.raises(RecordError, match=rf"mentions.tsv, line 2: .*{problem}"):
        Popularity.read(path, find_profile("plain"))


def test_ranges_double() -> None:
    assert popularity_bins(np.array([0, 1, 2, 3, 4, 7, 8, 2**40])).tolist() == [0, 1, 2, 2, 3, 3, 4, 41]
