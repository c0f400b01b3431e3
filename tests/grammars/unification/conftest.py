"""What the tests of unification grammars share."""

from __future__ import annotations

import pytest

from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set


@pytest.fixture(scope="module")
def cfq() -> QuestionParser:
    """A parser with the packaged rules."""
    return QuestionParser(read_rule_set("cfq"))
