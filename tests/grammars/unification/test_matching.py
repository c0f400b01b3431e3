"""Logical forms match up to the order and the brackets of ⊓ (CFQ paper, J.1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recombine.grammars.unification.forms.logical_form import MEET, Term, Terms, written
from recombine.grammars.unification.forms.matching import FactTable, Matcher, most_said_first
from recombine.grammars.unification.rules.notation import parse_rules

TERMS = Terms()
MATCHER = Matcher(TERMS, FactTable([]), backwards=False)


def form(text: str) -> Term:
    (rule,) = parse_rules(f"%knowledge\n→ {text}\n").rules
    return TERMS.again(rule.fact)  # type: ignore[union-attr]


def matches(pattern: str, text: str) -> list[dict[str, str]]:
    wanted = most_said_first(form(pattern), TERMS)
    return [
        {name: written(value) for name, value in values.items()}
        for values in MATCHER.iter_matches(wanted, form(text), {})
    ]


def test_the_example_of_the_paper() -> None:
    pattern = "GenderRel ⊓ ∃RolePair(Predicate, Gender)._head"
    assert matches(pattern, "GenderRel ⊓ ∃RolePair(Predicate, Gender).Male") == [{"_head": "Male"}]
    assert matches(pattern, "(∃RolePair(Predicate, Gender).Male) ⊓ GenderRel") == [{"_head": "Male"}]
    more = "∃RolePair(Predicate, GenderHaver).FilmProducer"
    assert matches(pattern, f"GenderRel ⊓ ∃RolePair(Predicate, Gender).Male ⊓ {more}") == []


def test_the_last_variable_takes_what_is_left() -> None:
    found = matches("∃R.($A ⊓ $B)", "∃R.(X ⊓ Y ⊓ Z)")
    assert found[0] == {"$A": "X", "$B": "Y ⊓ Z"}
    assert len(found) == 3


def test_a_variable_is_the_same_everywhere() -> None:
    assert matches("$A ⊓ ∃RolePair($A, $B).$X", "∃RolePair(P, Q).M ⊓ P") == [{"$A": "P", "$B": "Q", "$X": "M"}]
    assert matches("$A ⊓ ∃RolePair($A, $B).$X", "∃RolePair(P, Q).M ⊓ Q") == []


PARTS = st.lists(st.sampled_from(["A", "B", "∃R.C", "F(D)"]), min_size=2, max_size=5)


@given(PARTS.flatmap(lambda parts: st.tuples(st.just(parts), st.permutations(parts))))
def test_order_and_brackets_do_not_matter(both: tuple[list[str], list[str]]) -> None:
    parts, other = both
    bracketed = f"({' ⊓ '.join(other[:2])})" + "".join(f" ⊓ {part}" for part in other[2:])
    assert matches(" ⊓ ".join(parts), bracketed)
    assert not matches(" ⊓ ".join([*parts, "E"]), bracketed)


def test_equal_terms_are_one_object() -> None:
    assert form("A ⊓ (B ⊓ C)") is form("(A ⊓ B) ⊓ C")
    assert form("A ⊓ ⊤") is form("A")
    assert form("A ⊓ B").op is MEET
