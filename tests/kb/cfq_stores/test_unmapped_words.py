"""Words of rules that no fact maps to a name of a knowledge base, in a domain of one's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import recombine
from recombine.cli import main as cli
from recombine.errors import GrammarError, InputWarning
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.kb.cfq_stores.unmapped_words import unmapped_words

RECIPES = Path(__file__).parents[3] / "docs" / "examples" / "recipes"


def changed(folder: Path, old: str, new: str, name: str = "words.rules") -> Path:
    """The rules of recipes with another text in one of their files."""
    rules = folder / "mine"
    shutil.copytree(RECIPES, rules)
    text = (rules / name).read_text()
    assert old in text
    (rules / name).write_text(text.replace(old, new))
    return rules


@pytest.mark.parametrize("rules", ["cfq", str(RECIPES)])
def test_all_words_are_mapped(rules: str) -> None:
    assert unmapped_words(read_rule_set(rules)) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("→ FreebaseTypeMapping(Soup, 'food:Soup')\n", "", ["NOUN=SOUP means Soup, and no fact is about that"]),
        ("→ FreebaseEntityMapping(Thai, 'food:Thailand')\n", "", ["ADJECTIVE=THAI means Thai, and no fact is about"]),
        ("/Soup", "/Sop", ["NOUN=SOUP means Sop, and no fact is about that"]),
        (
            "→ Verb(Owning, Owner, Property)\n",
            "",
            ["VERB=OWN means Owning, and no fact is about that", "VERB=OWNED means Owning, and no fact is about that"],
        ),
        (
            "→ Properties(Owner, Property, 'food:owns', '^food:owns')\n",
            "",
            [
                "VERB=OWN means Owning, whose roles Owner and Property have no property",
                "VERB=OWNED means Owning, whose roles Owner and Property have no property",
                "ROLE=OWNER means the roles Owner and Property, which have no property",
            ],
        ),
        (
            "ProjectedRole(Owner, Property)",
            "ProjectedRole(Owner, Part)",
            ["ROLE=OWNER means the roles Owner and Part, which have no property"],
        ),
    ],
)
def test_a_word_that_leads_nowhere(tmp_path: Path, old: str, new: str, said: list[str]) -> None:
    problems = recombine.rules_check(changed(tmp_path, old, new)).problems
    assert len(problems) == len(said)
    for problem, text in zip(problems, said, strict=True):
        assert f"the rule {text}" in problem
        assert problem.startswith("words.rules, line ")


def test_generation_says_what_is_wrong_with_rules(tmp_path: Path) -> None:
    rules = changed(tmp_path, "→ FreebaseTypeMapping(Soup, 'food:Soup')\n", "")
    with pytest.warns(InputWarning, match=r"a problem: words\.rules, line \d+.*NOUN=SOUP means Soup.*rules check"):
        recombine.generate("cfq", n=5, seed=1, rules=str(rules), grounding=False)


def test_rules_that_give_no_question_a_query_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = changed(tmp_path, "%use 'cfq/resolution.rules'\n", "", "questions.rules")
    with pytest.raises(GrammarError, match="no rule of resolution is for get_specializations; add one, or %use"):
        recombine.generate("cfq", n=5, seed=1, rules=str(rules), grounding=False)
    with pytest.raises(SystemExit) as ended:
        cli.run(["generate", "cfq", "-n", "5", "--rules", str(rules), "-o", str(tmp_path / "q.jsonl")])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "q.jsonl").exists()


def test_one_class_that_is_lacking_is_said_in_one_number(tmp_path: Path) -> None:
    rules = changed(tmp_path, "'food:Soup'", "'food:Sop'")
    said = r"food\.ttl: lacks 1 class or entity that the rules ask for: food:Sop; the 1 rule that needs it is not used"
    with pytest.warns(InputWarning, match=said):
        made = recombine.generate(
            "cfq", n=10, rules=str(rules), kb=str(RECIPES / "food.ttl"), profile=str(RECIPES / "food.toml")
        )
    assert not any("soup" in example.source for example in made.dataset)
