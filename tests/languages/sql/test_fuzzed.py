"""Whatever the text is, it ends in a tree or in a typed error with a column."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzzed_texts import fuzzed_texts
from made_queries import made_queries

from recombine.errors import ProgramError
from recombine.languages.known import find_language

DIALECTS = ("postgres", "mysql", "sqlite", "bigquery", "snowflake", "tsql", "duckdb", "oracle")
NAMES = ("sql", *(f"sql:{name}" for name in DIALECTS))
LINES = (Path(__file__).parent / "constructs.txt").read_text(encoding="utf-8").splitlines()[1:]


def check_fuzzed(number: int, *, seed: int) -> tuple[int, int]:
    """How many texts ended in a tree, and how many in an error."""
    texts = [line.partition("|")[2] for line in LINES] + made_queries(100, seed=1)
    trees = errors = 0
    said = []
    for place, text in enumerate(fuzzed_texts(texts, number, seed=seed)):
        language = find_language(NAMES[place % len(NAMES)])
        try:
            tree = language.parse(text)
        except ProgramError as error:
            errors += 1
            said.append((0 <= error.position <= len(text), f"column {error.position + 1}: " in str(error), str(error)))
        else:
            trees += 1
            assert language.parse(language.render(tree)) == tree, text
    assert [message for inside, named, message in said if not inside or not named or "\n" in message] == []
    return trees, errors


def test_fuzzed_texts_end_in_a_tree_or_an_error() -> None:
    trees, errors = check_fuzzed(500, seed=5)
    assert trees > 40
    assert errors > 300


@pytest.mark.slow
def test_five_thousand_fuzzed_texts_end_in_a_tree_or_an_error() -> None:
    trees, errors = check_fuzzed(5000, seed=0)
    assert trees > 400
    assert errors > 3000
