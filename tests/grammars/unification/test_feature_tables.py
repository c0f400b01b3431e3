"""Features: disjunction, absence, negation, shared variables, default inheritance (CFQ paper, J.1)."""

from __future__ import annotations

import pytest

from recombine.errors import DerivationError
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.notation import parse_rules
from recombine.grammars.unification.rules.rule_set import RuleSet

HEAD = """
%feature form: gerund infinitive past_participle
%feature object: yes
%feature number: singular plural
%start S: say
%resolution
SAY:
    say($X) → 'SELECT count(*) WHERE { ' $X ' a thing }'
%grammar
"""
WORDS = """
V=GERUND:
    V(form:gerund)/Word → 'gerund'
V=INFINITIVE:
    V(form:infinitive)/Word → 'infinitive'
V=PARTICIPLE:
    V(form:past_participle, object:yes)/Word → 'participle'
V=NONE:
    V/Word → 'none'
V=BOTH:
    V(form:gerund|past_participle)/Word → 'both'
"""
ALL = ("gerund", "infinitive", "participle", "none", "both")


def accepted(rules: str, texts: tuple[str, ...] = ALL) -> list[str]:
    parser = QuestionParser(RuleSet.of("test", [parse_rules(HEAD + WORDS + rules)]))
    good = []
    for text in texts:
        try:
            parser.parse(text)
        except DerivationError:
            continue
        good.append(text)
    return good


# The examples of the paper's text.
@pytest.mark.parametrize(
    ("features", "words"),
    [
        ("form:gerund", ["gerund", "both"]),
        ("form:gerund|infinitive", ["gerund", "infinitive", "both"]),
        ("form:_none_", ["none"]),
        ("object:_none_", ["gerund", "infinitive", "none", "both"]),
        ("object:yes", ["participle"]),
        ("-form:gerund|infinitive", ["participle", "none", "both"]),
        ("-form:_none_", ["gerund", "infinitive", "participle", "both"]),
        ("form:past_participle, object:_none_", ["both"]),
    ],
)
def test_what_fits(features: str, words: list[str]) -> None:
    assert accepted(f"S=V:\n    S/_x → V({features})/_x\n") == words


def test_a_variable_stands_for_one_value() -> None:
    rules = "S=VV:\n    S/_x → V(form:$f)/_x V(form:$f)/_y\n"
    texts = ("gerund gerund", "gerund infinitive", "none none", "none gerund", "both gerund", "both infinitive")
    assert accepted(rules, texts) == ["gerund gerund", "none none", "both gerund"]


def test_values_that_remain_are_passed_on() -> None:
    rules = (
        "S=P:\n    S/_x → P(form:past_participle)/_x\nP=VV:\n    P(form:$f)/_x → V(form:$f)/_x 'and' V(form:$f)/_y\n"
    )
    # "both" could be a participle, but not beside a gerund.
    assert accepted(rules, ("both and both", "both and gerund", "participle and both")) == [
        "both and both",
        "participle and both",
    ]


@pytest.mark.parametrize("features", ["form:$f, -form:gerund", "-form:gerund, form:$f"])
def test_a_variable_takes_what_is_left_in_any_order(features: str) -> None:
    rules = f"S=P:\n    S/_x → P(form:gerund)/_x\nP=V:\n    P(form:$f)/_x → V({features})/_x\n"
    assert accepted(rules + "P=SAID:\n    P(form:gerund)/Word → 'said'\n", ("both", "gerund", "said")) == ["said"]


def test_the_head_gives_what_is_not_listed() -> None:
    rules = "S=P:\n    S/_x → P(form:past_participle, object:yes, number:plural)/_x\n"
    inherits = "P=V:\n    P(number:plural)[_x]/_x → V/_x\n"
    assert accepted(rules + inherits) == ["participle"]
    assert accepted(rules + inherits.replace("[_x]", "")) == []
    # What is listed is not inherited.
    assert accepted(rules + inherits.replace("number:plural", "number:plural, object:_none_")) == []
