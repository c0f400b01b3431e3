"""The numbers of a set: worked out by hand, recomputed on a generated one, and those of the real questions."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from small_kbqa_set import made_set, write_set

import recombine
from recombine.errors import InputWarning, OptionError
from recombine.measures.wordings.likeness import plain_words
from recombine.pages.kbqa.question_table import read_questions
from recombine.pages.kbqa.wording_tables import wording_tables


@pytest.fixture
def small(tmp_path: Path) -> dict[str, Any]:
    return recombine.kbqa_info(write_set(tmp_path / "films.jsonl")).to_dict()


def test_counts_and_shares_by_hand(small: dict[str, Any]) -> None:
    assert (small["language"], small["questions"], small["canonical_forms"]) == ("sexpression", 6, 3)
    assert (small["domains"], small["relations"], small["entities"]) == (1, 1, 3)
    assert small["shares"]["relations"] == {"1": 6, "2": 0, "3": 0}
    assert small["shares"]["function"] == {"none": 5, "count": 1, "superlative": 0, "comparative": 0}
    assert small["shares"]["answers"] == {"1": 4, ">1": 2}
    assert small["levels"]["parts"] == {"all questions": {"i.i.d.": 4, "compositional": 1, "zero-shot": 1}}


def test_wordings_by_hand(small: dict[str, Any]) -> None:
    """Canonical: which film is directed by X. Paraphrases: X made which film; the film by X; both with X = Ann Lee.

    With the canonical question, words shared: which film ann lee, 4 of 8; film by ann lee, 4 of 8. Pairs: which-film
    and ann-lee, 2 of 8; by-ann and ann-lee, 2 of 8. Among them: film ann lee, 3 of 7; ann-lee, 1 of 7 pairs.
    """
    said = small["wordings"]
    assert (said["wordings"], said["canonical_questions"], said["forms_with_several"]) == (5, 2, 1)
    both = said["canonical"]["with_entities"]
    assert both["pairs"] == 2
    assert both["unigrams"] == pytest.approx((4 / 8 + 4 / 8) / 2)
    assert both["bigrams"] == pytest.approx((2 / 8 + 2 / 8) / 2)
    among = said["paraphrases"]["with_entities"]
    assert (among["pairs"], among["unigrams"], among["bigrams"]) == (1, pytest.approx(3 / 7), pytest.approx(1 / 7))
    assert (among["words"], among["characters"]) == (5, (24 + 19) / 2)


def test_wordings_without_entities_by_hand(small: dict[str, Any]) -> None:
    """`made which film` and `the film by`: 1 of 5 words, no pair; with `which film is directed by` 2 of 6 each."""
    said = small["wordings"]
    among = said["paraphrases"]["without_entities"]
    assert (among["unigrams"], among["bigrams"], among["words"]) == (pytest.approx(1 / 5), 0.0, 3)
    both = said["canonical"]["without_entities"]
    assert both["unigrams"] == pytest.approx((2 / 6 + 2 / 6) / 2)
    assert both["bigrams"] == pytest.approx((1 / 5 + 0) / 2)


def test_a_generated_set_is_counted_as_a_plain_program_would() -> None:
    data = made_set()
    table = read_questions(data)
    info = recombine.kbqa_info(data).to_dict()
    edges = Counter(min(each.tags["num_edge"], 4) for each in data)
    assert info["shares"]["relations"] == {{4: "4+"}.get(n, str(n)): edges[n] for n in range(1, 5) if n < 4 or edges[n]}
    kinds = {"argmax": "superlative", "argmin": "superlative", "none": "none", "count": "count"}
    assert Counter(info["shares"]["function"]) == Counter(
        kinds.get(each.tags["function"], "comparative") for each in data
    )
    assert info["shares"]["answers"]["1"] == sum(len(each.tags["answer"]) == 1 for each in data)
    assert info["unnamed"] == 0
    assert info["wordings"]["canonical_questions"] > 0
    groups: dict[int, dict[str, str]] = {}
    for row, number in enumerate(table.templates):
        names = table.questions[table.rows_of[number][0]].names
        question, said = table.questions[row], table.canonical_of(row)
        assert said is not None
        if said.wording != question.wording:
            groups.setdefault(number, {}).setdefault(question.wording, question.renamed(names))
    shares = [
        len({*plain_words(one)} & {*plain_words(other)}) / len({*plain_words(one), *plain_words(other)})
        for texts in groups.values()
        for one, other in combinations(texts.values(), 2)
    ]
    among = info["wordings"]["paraphrases"]["with_entities"]
    assert (among["pairs"], among["all_pairs"]) == (len(shares), len(shares))
    assert among["unigrams"] == pytest.approx(math.fsum(shares) / len(shares))


def test_many_pairs_are_drawn_and_said(tmp_path: Path) -> None:
    table = read_questions(recombine.load(write_set(tmp_path / "films.jsonl"), language="sexpression"))
    found = wording_tables(table, most=0).among[0]
    assert found is None
    rows = [(f"who made Jaws {n} {n * n}", "(JOIN film.film.directed_by m.0)") for n in range(12)]
    table = read_questions(recombine.load(rows, language="sexpression"))
    found = wording_tables(table, most=10).among[0]
    assert found is not None
    assert (found.pairs, found.all_pairs) == (10, 66)


def test_a_split_gives_levels_and_one_beside_the_file_is_taken(tmp_path: Path) -> None:
    path = write_set(tmp_path / "films.jsonl")
    data = recombine.load(path, language="sexpression")
    ids = data.ids
    split = recombine.split(data, by="random", train=3, test=3, seed=1)
    split.write(tmp_path / "films.split.json")
    named = recombine.kbqa_info(path, tmp_path / "films.split.json").to_dict()["levels"]
    beside = recombine.kbqa_info(path).to_dict()["levels"]
    assert named == beside
    assert named["told_by"] == "films.split.json"
    assert named["sizes"] == {"train": 3, "test": 3}
    with pytest.warns(InputWarning, match="without an ontology"):
        levels = recombine.levels(data, split).to_dict()["levels"]
    assert named["parts"]["test"] == levels["test"]["counts"]
    assert len(ids) == 6


def test_a_stranger_with_sparql_is_told_what_cannot_be_told(tmp_path: Path) -> None:
    rows = [
        ("who lives in Ulm?", "SELECT ?x WHERE { ?x <http://e.org/livesIn> <http://e.org/Ulm> }"),
        ("how many live in Ulm?", "SELECT (COUNT(?x) AS ?n) WHERE { ?x <http://e.org/livesIn> <http://e.org/Ulm> }"),
        ("what?", "SELECT ?x WHERE { ?x"),
    ]
    info = recombine.kbqa_info(rows).to_dict()
    assert info["language"] == "sparql11"
    assert set(info["missing"]) == {"canonical", "domains", "answers", "levels", "entities", "programs"}
    assert info["shares"]["function"] == {"none": 1, "count": 1, "superlative": 0, "comparative": 0, "unknown": 1}
    assert info["shares"]["answers"] == {"1": 0, ">1": 0, "unknown": 3}
    assert len(info["unreadable"]) == 1
    with pytest.raises(OptionError, match="language"):
        recombine.kbqa_info([("a", "b")])
    with pytest.raises(OptionError, match="canonical"):
        recombine.kbqa_info(rows, canonical="said")


@pytest.mark.shared_data
def test_the_real_questions() -> None:
    """600 of GrailQA's: their shares by relations and answers are those of section 3.2 within 2 points."""
    info = recombine.kbqa_info("grailqa").to_dict()
    assert (info["questions"], info["canonical_forms"]) == (600, 379)
    for label, printed in {"1": 44_340, "2": 16_610, "3": 3_254}.items():
        assert abs(info["shares"]["relations"][label] / 600 - printed / 64_331) < 0.02
    assert abs(info["shares"]["answers"]["1"] / 600 - 44_044 / 64_331) < 0.02
    assert info["levels"]["parts"]["all questions"] == {"i.i.d.": 138, "compositional": 121, "zero-shot": 341}
    among = info["wordings"]["paraphrases"]["with_entities"]
    assert among["pairs"] == 247
    assert among["unigrams"] == pytest.approx(0.559, abs=5e-4)
    assert among["bigrams"] == pytest.approx(0.286, abs=5e-4)
    assert among["edits"] == pytest.approx(31.4, abs=0.05)
    assert info["missing"].keys() == {"canonical", "entities"}
