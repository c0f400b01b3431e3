"""`rules check`: every kind of mistake, with its place."""

from __future__ import annotations

import pytest

from recombine.errors import GrammarError
from recombine.grammars.unification.check_rules import check_rules
from recombine.grammars.unification.rules.notation import parse_rules
from recombine.grammars.unification.rules.rule_set import RuleSet, read_rule_set

GOOD = """%feature form: past infinitive
%start S: say
%grammar
S=V:
    S/_x → V(form:past)/_x
V=RAN:
    V(form:past)/Running → 'ran'
%inference
RUN:
    Known($X): Running → Ran($X)
%resolution
SAY:
    say($X) → 'SELECT count(*) WHERE { ' tell($X) ' }'
TELL:
    tell(Ran($X)) → $X ' a runner'
%knowledge
→ Known(Fast)
"""


def problems(text: str) -> list[str]:
    return [str(problem) for problem in check_rules(RuleSet.of("x", [parse_rules(text, "x.rules")]))]


def test_good_rules_have_no_problems() -> None:
    assert problems(GOOD) == []


def test_the_packaged_rules_have_no_problems() -> None:
    assert check_rules(read_rule_set("cfq")) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("V(form:past)/_x", "V(from:past)/_x", "line 5, column 14: unknown feature 'from'"),
        ("V(form:past)/_x", "V(form:pats)/_x", "line 5, column 14: unknown value 'pats' of the feature form"),
        ("S/_x", "S/_y", "line 4, column 1: the variable _y of S=V has no value"),
        ("S/_x", "S[_y]/_x", "line 4, column 1: the head _y of S=V is none of its parts"),
        ("S/_x", "S(form:$f)/_x", "line 5, column 7: the variable $f has no value"),
        ("→ Ran($X)", "→ Ran($Y)", "line 9, column 1: the variable $Y of RUN has no value"),
        ("tell(Ran($X)) → $X", "tell(Ran($X)) → $Z", "line 14, column 1: the variable $Z of TELL has no value"),
        ("V(form:past)/_x", "W(form:past)/_x", "line 5, column 12: no rule makes W"),
        (
            "%inference",
            "W=WALKED:\n    W/Walking → 'walked'\n%inference",
            "line 8, column 1: the rule W=WALKED is never reached",
        ),
        (
            "V(form:past)/_x",
            "V(form:infinitive)/_x",
            "line 4, column 1: the rule S=V can never fire: nothing has the features",
        ),
        ("→ Known(Fast)", "→ Unknown(Fast)", "line 9, column 1: the rule RUN can never fire: no fact is Known($X)"),
        (
            "Known($X): Running",
            "Known($X): Walking",
            "line 9, column 1: the rule RUN can never fire: nothing makes Walking",
        ),
        ("' tell($X) '", "' tall($X) '", "line 12, column 1: no rule of resolution is for tall"),
        ("' tell($X) '", "' '", "line 14, column 1: the rule TELL is never reached: nothing calls tell"),
        (
            "TELL:",
            "ANY:\n    tell($Y) → 'x'\nTELL:",
            "line 16, column 1: the rule TELL can never fire: ANY is always taken",
        ),
        ("→ Known(Fast)", "→ Known($X)", "line 17, column 1: the fact Known($X) has a variable"),
        (
            "Ran($X)\n%res",
            "Ran($X)\nBACK:\n    Ran($X) → Running\n%res",
            "line 9, column 1: inference never ends once RUN applies",
        ),
        (
            "Ran($X)\n%res",
            "Ran($X)\nGROW:\n    Ran($X) → Ran(Ran($X))\n%res",
            "line 11, column 1: inference never ends once GROW applies",
        ),
        (
            "→ Known(Fast)",
            "→ Known(Fast)\nKnown($X): → Known($Y)",
            "line 18, column 1: the variable $Y of Known($X): → Known($Y) has no value",
        ),
        (
            "→ Known(Fast)",
            "→ Known(Fast)\nSlow($X): → Known($X)",
            "line 18, column 1: the rule Slow($X): → Known($X) can never fire: no fact is Slow($X)",
        ),
        ("V=RAN:", "S=V:", "line 6, column 1: another grammar rule is S=V (x.rules, line 4)"),
        ("%start S: say", "", "line 4, column 1: nothing says what a text is"),
        ("%start S: say", "%start T: say", "line 2, column 8: no rule makes T"),
        ("%start S: say", "%start S: sing", "line 2, column 8: no rule of resolution is for sing"),
        ("%inference", "V=S:\n    V(form:past)/_x → S/_x\n%inference", "line 4, column 1: S is made of itself alone"),
    ],
)
def test_a_mistake_is_found_where_it_stands(old: str, new: str, problem: str) -> None:
    assert GOOD.count(old) == 1
    found = problems(GOOD.replace(old, new))
    assert any(problem in each for each in found), found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("S=V: S → V", "line 1, column 1: a rule of no kind"),
        ("%grammar\n  S=V: S → V", "line 2, column 3: 'S=V' does not begin a rule"),
        ("%grammar\nS=V: S → ", "line 2, column 10: the rule S=V has nothing after its arrow"),
        ("%grammar\nS=V: S V", "line 2, column 8: 'V' where the arrow of the rule is needed"),
        ("%grammar\nS=V: S(form:) → V", "line 2, column 13: ')' where a value of the feature is needed"),
        ("%grammar\nS=V: S/ → V", "line 2, column 9: '→' where a logical form is needed"),
        ("%gramar\n", "line 1, column 1: unknown directive %gramar"),
        ("%knowledge\nRole(A, B)", "line 2, column 1: 'Role' where the arrow of a fact is needed"),
        ("%knowledge\n→ Role(A, B", "line 2, column 12: 'the end of the file' where a comma or a closing bracket"),
        ("%inference\nX: $A, $B → $A", "several left sides"),
        ("%grammar\nS=V: S → V ;", "line 2, column 12: cannot read ';'"),
        ("%feature form: a\n%feature form: b\n", "line 2, column 1: the feature form is declared twice"),
    ],
)
def test_a_file_that_cannot_be_read(text: str, problem: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse_rules(text, "x.rules")
    assert problem in str(caught.value)
