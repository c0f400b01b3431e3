"""Ten thousand questions over the made-up world: many templates, each in two wordings or more."""

from __future__ import annotations

import pytest

from recombine.datasets.kbqa_generated import KbqaGenerator
from recombine.pages.kbqa.question_table import read_questions


@pytest.mark.slow
def test_ten_thousand_questions_have_400_templates_with_two_wordings_each() -> None:
    """A template of which one question was drawn has one wording in the file; all others have several."""
    table = read_questions(KbqaGenerator().generate(10_000, seed=1).dataset())
    assert len(table.rows_of) >= 400
    wordings = {
        number: {table.questions[row].wording for row in rows}
        for number, rows in table.rows_of.items()
        if len(rows) > 1
    }
    assert len(wordings) >= 400
    assert min(map(len, wordings.values())) >= 2
    assert table.unnamed == 0
