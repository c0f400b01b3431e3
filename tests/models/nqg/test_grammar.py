"""Grammars and their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import GrammarError, InputFileError, RecombineError
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.rule import QcfgRule

TEXT = """# signature: model:nqg
# a comment

jump ### I_JUMP ### 12
NT_1 twice ### NT_1 NT_1
# # ### a token that is a mark is no comment
"""


def test_a_grammar_is_read_with_its_counts(tmp_path: Path) -> None:
    path = tmp_path / "g.txt"
    path.write_text(TEXT)
    grammar = Qcfg.read(path)
    assert [str(rule) for rule in grammar] == [
        "jump ### I_JUMP",
        "NT_1 twice ### NT_1 NT_1",
        "# # ### a token that is a mark is no comment",
    ]
    assert grammar.signature == "model:nqg"
    assert grammar.uses == {QcfgRule.parse("jump ### I_JUMP"): 12}
    assert grammar.symbols() == (3, 14)
    grammar.write(path)
    assert Qcfg.read(path) == grammar
    assert Qcfg.read(path).uses == grammar.uses


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a ### b\n\na ### b", "line 3, column 1: the rule stands already in line 1"),
        ("a ### b\nwhat", "line 2, column 1: not a rule"),
        ("a ### b ### many", "line 1, column 1: what follows the target is not a count"),
        ("a ### b ### 1 ### 2", "not a count"),
        ("NT_1 ### NT_1", "line 1, column 1: not a rule: NT_1 ### NT_1: the source is a lone slot"),
    ],
)
def test_mistakes_name_the_line(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message.replace("(", r"\(")):
        Qcfg.parse(text, "g.txt")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no such file"):
        Qcfg.read(tmp_path / "none")


def test_a_rule_may_not_stand_twice() -> None:
    rule = QcfgRule.parse("a ### b")
    with pytest.raises(RecombineError, match="twice"):
        Qcfg((rule, rule))
