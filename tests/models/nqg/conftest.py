"""Slow versions that are plainly right, to compare the charts with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import strategies as st

from recombine.models.nqg.rule import QcfgRule

Tree = tuple[Any, ...]
"""A rule and the trees in its slots."""


def matches(pattern: tuple[Any, ...], words: tuple[Any, ...]) -> Iterator[list[tuple[Any, ...]]]:
    """Every way to lay a source over words: what each slot takes, never nothing."""
    if not pattern:
        if not words:
            yield []
    elif isinstance(pattern[0], int):
        for size in range(1, len(words) + 1):
            for rest in matches(pattern[1:], words[size:]):
                yield [words[:size], *rest]
    elif words and words[0] == pattern[0]:
        yield from matches(pattern[1:], words[1:])


def enumerate_derivations(rules: Sequence[QcfgRule], source: Sequence[str]) -> list[Tree]:
    """Every derivation of a source."""

    @cache
    def derive(words: tuple[str, ...]) -> tuple[Tree, ...]:
        return tuple(
            (rule, *children)
            for rule in rules
            for parts in matches(rule.source, words)
            for children in product(*(derive(part) for part in parts))
        )

    return list(derive(tuple(source)))


def enumerate_target(tree: Tree) -> tuple[str, ...]:
    """The target of a derivation."""
    rule, *children = tree
    parts = [enumerate_target(child) for child in children]
    return tuple(
        word for symbol in rule.target for word in (parts[symbol - 1] if isinstance(symbol, int) else [symbol])
    )


def count_by_recursion(rules: Sequence[QcfgRule], source: Sequence[str], target: Sequence[str]) -> tuple[int, int]:
    """The numbers of derivations of a source with a target and with any, from the definition and with no lists."""

    @cache
    def any_target(words: tuple[str, ...]) -> int:
        total = 0
        for rule in rules:
            if set(words).issuperset(symbol for symbol in rule.source if isinstance(symbol, str)):
                total += sum(prod(map(any_target, parts)) for parts in matches(rule.source, words))
        return total

    @cache
    def own_target(words: tuple[str, ...], wanted: tuple[str, ...]) -> int:
        total = 0
        for rule in rules:
            if not set(words).issuperset(symbol for symbol in rule.source if isinstance(symbol, str)):
                continue
            if not set(wanted).issuperset(symbol for symbol in rule.target if isinstance(symbol, str)):
                continue
            filled = [parts for parts in matches(rule.source, words) if all(map(any_target, parts))]
            for fillers in fill_slots(rule.target, wanted, {}) if filled else ():
                # Parts come in the order of the source, in which slots are numbered.
                strings = [fillers[slot] for slot in range(1, rule.arity + 1)]
                total += sum(prod(map(own_target, parts, strings)) for parts in filled)
        return total

    words, wanted = tuple(source), tuple(target)
    return own_target(words, wanted), any_target(words)


def fill_slots(pattern: tuple[str | int, ...], words: tuple[str, ...], known: dict[int, tuple[str, ...]]):  # type: ignore[no-untyped-def]
    """Every way to lay a target over words: what each slot stands for, the same wherever it stands."""
    if not pattern:
        if not words:
            yield known
        return
    head, rest = pattern[0], pattern[1:]
    if isinstance(head, str):
        if words[:1] == (head,):
            yield from fill_slots(rest, words[1:], known)
    elif head in known:
        if words[: len(known[head])] == known[head]:
            yield from fill_slots(rest, words[len(known[head]) :], known)
    else:
        for size in range(1, len(words) - len(rest) + 1):
            yield from fill_slots(rest, words[size:], {**known, head: words[:size]})


@pytest.fixture(scope="session")
def counts() -> Callable[[Sequence[QcfgRule], Sequence[str], Sequence[str]], tuple[int, int]]:
    """The numbers of derivations with a target and with any, counted from the definition."""
    return count_by_recursion


@pytest.fixture(scope="session")
def derivations() -> Callable[[Sequence[QcfgRule], Sequence[str]], list[Tree]]:
    """Every derivation of a source, by trying everything."""
    return enumerate_derivations


@pytest.fixture(scope="session")
def target_of() -> Callable[[Tree], tuple[str, ...]]:
    """The target of a derivation."""
    return enumerate_target


@st.composite
def random_rule(draw: st.DrawFn) -> QcfgRule:
    """A rule over few tokens, so that rules meet often."""
    arity = draw(st.integers(0, 2))
    words = draw(st.lists(st.sampled_from("abc"), min_size=0 if arity == 2 else 1, max_size=2))
    source: list[str | int] = list(words)
    for slot in range(1, arity + 1):
        source.insert(draw(st.integers(0, len(source))), slot)
    target: list[str | int] = list(draw(st.lists(st.sampled_from("ABab"), max_size=2)))
    for slot in (slot for slot in source if isinstance(slot, int)):
        for _ in range(draw(st.integers(1, 2))):
            target.insert(draw(st.integers(0, len(target))), slot)
    return QcfgRule.of(source, target or ["A"])


RULES = st.lists(random_rule(), min_size=1, max_size=6, unique=True)
SOURCES = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)


@pytest.fixture(scope="session")
def grammars() -> tuple[st.SearchStrategy[list[QcfgRule]], st.SearchStrategy[list[str]]]:
    """Strategies for lists of rules and for sources."""
    return RULES, SOURCES
