"""Rules of other files, taken with `%use`: of a packaged set, or beside the file that uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import GrammarError
from recombine.grammars.unification.check_rules import check_rules
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_files, read_rule_set, rule_files

# What the packaged rules of inference and resolution make of a question with one verb.
OWN = """%use 'cfq/general.rules'
%use 'cfq/inference.rules'
%use 'cfq/resolution.rules'
%start S: get_set_truth
%grammar
S=DID_E_V_E:
    S/_s ⊓ ∃RolePair(Subject, SubjectHaver).(_v ⊓ ∃RolePair(ObjectHaver, Object)._o
        ⊓ PredicateWithBoundRolePairs(RolePair(SubjectHaver, Subject), RolePair(Predicate, Agent))
        ⊓ PredicateWithBoundRolePairs(RolePair(ObjectHaver, Object), RolePair(Predicate, Undergoer)))
    → 'did' E/_s V/_v E/_o
V=BAKE: V/Baking → 'bake'
E=[ENTITY]: E/Entity(new_var($V)) → '[entity]'
%knowledge
→ Verb(Baking, Baker, Bread)
→ Properties(Baker, Bread, 'b:baked', '^b:baked')
"""


def written(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.rules").write_text(text)
    return folder


def test_packaged_rules_are_used(tmp_path: Path) -> None:
    rules = read_rule_set(written(tmp_path, own=OWN))
    assert QuestionParser(rules).parse("Did M0 bake M1").query.short() == "SELECT count ( * ) WHERE { M0 b:baked M1 }"


def test_of_used_rules_not_all_need_to_be_needed(tmp_path: Path) -> None:
    # RELATION_MAPPING_WITH_EXCLUSION asks for a fact that this domain does not have.
    assert check_rules(read_rule_set(written(tmp_path, own=OWN))) == []


def test_rules_of_the_folder_all_need_to_be_needed(tmp_path: Path) -> None:
    idle = "%inference\nIDLE:\n    Nowhere($X): Made($X) → $X\n%resolution\nNEVER:\n    never($X) → $X\n"
    idle += "%grammar\nW=W: W → 'w'\n"
    said = [str(each) for each in check_rules(read_rule_set(written(tmp_path, own=OWN, more=idle)))]
    assert [text.split(": ")[1].split(";")[0] for text in said] == [
        "the rule W=W is never reached",
        "the rule IDLE can never fire",
        "the rule NEVER is never reached",
    ]


def test_each_file_is_read_once_after_those_it_uses(tmp_path: Path) -> None:
    texts = {
        "a": "%use 'sub/c.rules'\n%use 'b.rules'\n%knowledge\n→ F(A)\n",
        "b": "%use 'a.rules'\n%knowledge\n→ F(B)\n",  # in a circle
    }
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c.rules").write_text("%use '../b.rules'\n%knowledge\n→ F(C)\n")
    folder = written(tmp_path, **texts)
    rules = read_rule_set(folder)
    assert [rule.name for rule in rules.rules] == ["F(B)", "F(C)", "F(A)"]
    assert rules.borrowed == {("knowledge", "F(C)")}
    assert [path.name for path in read_files(rule_files(folder))] == ["b.rules", "c.rules", "a.rules"]


def test_one_file_may_be_all(tmp_path: Path) -> None:
    path = written(tmp_path, own=OWN, broken="no rules") / "own.rules"
    assert len(read_rule_set(path).grammar) == 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "\n%use 'cfq/interference.rules'\n",
            "own.rules, line 2, column 6: no file 'cfq/interference.rules' beside this one or in the package; "
            "known there: cfq/general.rules, cfq/grammar.rules, cfq/inference.rules",
        ),
        ("%use cfq\n", "own.rules, line 1, column 6: 'cfq' where the name of a file in quotes is needed"),
        ("%uses 'x'\n", "unknown directive %uses; write one of %feature, %start, %template, %use, "),
    ],
)
def test_what_cannot_be_used_is_said_with_its_place(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(GrammarError) as caught:
        read_rule_set(written(tmp_path, own=text))
    assert problem in str(caught.value)
