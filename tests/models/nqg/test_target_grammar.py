"""Grammars of targets, and languages as tests of targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import GrammarError
from recombine.languages.known import find_language
from recombine.models.nqg.target_grammar import TargetGrammar, parses

LISTS = """# comma lists, left-recursive
ROOT => ( ##ITEMS )
ITEMS => ##ITEMS , ##ITEM
ITEMS => ##ITEM
ITEM => x
ITEM => ##ROOT"""


@pytest.mark.parametrize(
    ("target", "valid"),
    [("( x )", True), ("( x , ( x ) , x )", True), ("( x , )", False), ("x", False), ("", False), ("( x ) )", False)],
)
def test_left_recursion_and_nesting(target: str, valid: bool) -> None:
    assert TargetGrammar.parse(LISTS).accepts(target) is valid


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ROOT -> a", "line 1, column 1: is not a production"),
        ("ROOT => ", "line 1, column 1: is not a production"),
        ("ROOT => a\nX Y => b", "line 2"),
        ("ROOT => ##X", "line 1, column 1: 'X' has no production"),
        ("X => a", "'ROOT' has no production"),
    ],
)
def test_mistakes_name_the_line(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        TargetGrammar.parse(text)


def test_a_language_is_a_test() -> None:
    valid = parses(find_language("funql"))
    assert valid("answer ( intersection ( state , loc_2 ( m0 ) ) )")
    assert not valid("answer ( intersection ( state , ) )")


@pytest.mark.shared_data
def test_the_published_grammar_accepts_all_targets_of_geoquery_but_one(data_dir: Path) -> None:
    grammar = TargetGrammar.read(data_dir / "geoquery" / "funql_target_cfg.txt")
    lines = (data_dir / "geoquery" / "geo_dataset.tsv").read_text().splitlines()
    targets = {line.split("\t")[1] for line in lines}
    # The grammar has no numbers.
    assert [target for target in sorted(targets) if not grammar.accepts(target)] == [
        "answer ( highest ( intersection ( place , loc_2 ( intersection ( state , loc_1 ( intersection ( place , "
        "elevation_2 ( 0 ) ) ) ) ) ) ) )"
    ]
    assert not grammar.accepts("answer ( state , state )")
