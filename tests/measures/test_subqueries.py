"""Subqueries and how often parts have them (CFQ paper, Tables 8 and 9)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import recombine
from recombine.errors import DerivationError, InputFileError
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.measures.subqueries import count_subqueries, read_subqueries
from recombine.records.derivation import Derivation
from recombine.records.example import Example

FILE = """
[[table]]
title = "mine"
[[table.row]]
label = "run"
source = 'run'
[[table.row]]
label = "run, each time"
source = 'run'
count = "occurrences"
[[table.row]]
label = "R in the target"
target = 'R'
[[table.row]]
label = "twice under and, second"
rules = { rule = "and", slots = { 2 = { rule = ["twice", "thrice"], slots = { 1 = { rule = "jump" } } } } }
"""
JUMP = ("jump", [])
NOTHING_MADE = Derivation(("S",), ())
EXAMPLES = [
    Example("1", "run and run", "R", Derivation.tree(("and", [("twice", [JUMP]), ("once", [JUMP])]))),
    Example("2", "run", "W", Derivation.tree(("and", [("once", [JUMP]), ("thrice", [JUMP])]))),
    Example("3", "walk", "R", Derivation.tree(("and", [("once", [JUMP]), ("twice", [("run", [])])]))),
]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "subqueries.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_examples_occurrences_and_rules(tmp_path: Path) -> None:
    (table,) = read_subqueries(written(tmp_path, FILE))
    assert [row.label for row in table.rows][:2] == ["run", "run, each time"]
    assert count_subqueries([table], EXAMPLES) == [[2, 3, 2, 1]]


def test_rows_of_rules_need_derivations(tmp_path: Path) -> None:
    tables = read_subqueries(written(tmp_path, FILE))
    with pytest.raises(DerivationError, match="example 4 has no derivation"):
        count_subqueries(tables, [Example("4", "run", "R")])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[[table]]", "[[tables]]", "no tables"),
        ('title = "mine"', "", "not a title and rows"),
        ("source = 'run'", "source = '('", "row 1: '\\(' is no regular expression"),
        ("source = 'run'", "", "row 1: is not a label and one of"),
        ('count = "occurrences"', 'count = "both"', "row 2: cannot count 'both'"),
        ("target = 'R'", "target = 'R'\nwords = 3", "row 3: has an unknown key 'words'"),
        ('rule = "and", ', "", "row 4: rule is no name"),
        ("2 = {", "second = {", "row 4: slots are no numbers"),
        ("[[table.row]]", "[[table.row", "is not TOML"),
    ],
)
def test_files_that_are_none(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputFileError, match=said):
        read_subqueries(written(tmp_path, FILE.replace(old, new)))


def test_the_papers_tables() -> None:
    tables = read_subqueries("cfq")
    assert [len(table.rows) for table in tables] == [9, 10]


PRINTED = [
    # "What…?" is 23,695 in the paper, and one more in this file.
    [23_696, 2_331, 1_222, 1_066, 0, 51_600, 20_038, 416, 0],
    [40_616, 31_776, 17_464, 5_603, 121, 93, 17_464, 1_432, 909, 0],
]
"""Tables 8 and 9 of the CFQ paper."""


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.usefixtures("data_dir")
def test_the_papers_counts_in_the_train_part_of_mcd1() -> None:
    parser = QuestionParser(read_rule_set("cfq"))
    tables = read_subqueries("cfq")
    rules = {row.label for table in tables for row in table.rows if row.side == "rules"}
    data = recombine.load("cfq/mcd1")
    train = [data[row] for row in recombine.load_split(data, "published").positions(data, "train")]

    def parsed(example: Example) -> Example:
        # Rows of rules count questions with "Did" or with "What … was" alone, so that the others need no parse.
        if example.source.startswith("Did ") or (example.source.startswith("What ") and " was " in example.source):
            return replace(example, derivation=parser.graph(parser.parse(example.source)))
        return replace(example, derivation=NOTHING_MADE)

    assert len(rules) == 6
    assert count_subqueries(tables, map(parsed, train)) == PRINTED
