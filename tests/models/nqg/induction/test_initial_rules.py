"""The rules that a search begins with."""

from __future__ import annotations

from recombine.models.nqg.induction.initial_rules import aligned_rules, identity_rules
from recombine.models.nqg.rule import tokens


def pairs(*texts: tuple[str, str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(tokens(source), tokens(target)) for source, target in texts]


def test_the_longest_shared_string_is_taken_first() -> None:
    found = identity_rules(pairs(("show new york or york", "f ( new york ) or g ( york )")))
    assert [str(rule) for rule in found] == ["new york ### new york", "or ### or", "york ### york"]


def test_each_place_is_used_once() -> None:
    # The target has one `a` only, so the second `a` of the source has no partner; `a b` is not in the target.
    assert [str(rule) for rule in identity_rules(pairs(("a b a", "b a")))] == ["b a ### b a"]


def test_nothing_is_shared() -> None:
    assert identity_rules(pairs(("jump", "J"))) == []


def test_tokens_in_exactly_the_same_examples_are_aligned() -> None:
    found = aligned_rules(pairs(("turn left", "L"), ("walk left", "L W"), ("turn right", "R"), ("walk", "W")))
    # `left` and L, `walk` and W; `right` and R stand in one example only, and `turn` in the same as nothing.
    assert [str(rule) for rule in found] == ["left ### L", "walk ### W"]
