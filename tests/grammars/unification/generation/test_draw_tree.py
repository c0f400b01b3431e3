"""Trees that the kernel draws are those that plain Python draws with the same random numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from plain_tree_drawer import PlainTreeDrawer, iter_numbers

from recombine.grammars.unification.generation import drawing_tables
from recombine.grammars.unification.generation.draw_tree import TreeDrawer
from recombine.grammars.unification.generation.question_maker import JOIN_LEVEL, QuestionMaker
from recombine.grammars.unification.generation.random_numbers import RandomNumbers

TWICE = "\n[[filter]]\nname = 'twice'\nrule = 'S=*'\nholds = 'NOUN=*'\nsame = true\n"
MANY = "\n[[filter]]\nname = 'many'\nrule = 'THING=*'\nholds = 'NOUN=*'\nthrough = 'THING=*'\nmore_than = 1\n"
SHAPE = (
    "\n[[filter]]\nname = 'shape'\nrule = 'S=*'\nparts.3.rule = 'THING=SOME*'\nparts.1 = { rule = 'NOUN=COOKS' }\n"
    "\n[[filter]]\nname = 'deep'\nrule = 'S=*'\nparts.1 = { rule = 'KIND=NOUN', parts.1.rule = 'NOUN=SOUP' }\n"
)
SORTS = (
    "\n[sorts.words]\n'NOUN=COOK*' = { self = 'person' }\n'NOUN=SOUP*' = { self = ['dish', 'person'] }\n"
    "'THING=ENTITY' = { self = 'dish' }\n[sorts.phrases]\n'S=WHICH*' = ['1.self = 3.self']\n"
)


def drawn(maker: QuestionMaker, number: int, seed: int = 1) -> Counter[str]:
    """Draw trees of all sizes in both ways, which must be the same; how many were drawn, and dropped by each filter."""
    quick, plain = maker._drawer, PlainTreeDrawer(maker._drawer._tables.table, maker.filters)
    numbers, same = RandomNumbers(np.random.default_rng(seed)), iter_numbers(np.random.default_rng(seed))
    counts: Counter[str] = Counter()
    for place in range(number):
        size = maker.levels[place % len(maker.levels)] - JOIN_LEVEL
        tree, (expected, dropping) = quick.draw(size, numbers), plain.draw(size, same)
        assert tree == (expected if dropping is None else dropping)
        counts["tree" if dropping is None else dropping] += 1
    assert numbers.next() == next(same)
    return counts


def test_trees_of_the_rules_of_cfq() -> None:
    counts = drawn(QuestionMaker("cfq"), 1500)
    assert counts["tree"] > 1200
    assert len(counts) > 2


@pytest.mark.parametrize("filters", ["", TWICE, MANY, SHAPE, TWICE + MANY, SORTS, SHAPE + TWICE + SORTS])
def test_trees_of_small_rules_with_filters(recipes: Path, filters: str) -> None:
    (recipes / "filters.toml").write_text(filters, encoding="utf-8")
    counts = drawn(QuestionMaker(str(recipes), max_level=9), 300)
    assert counts["tree"] > 0


def test_a_list_without_what_was_there_twice(recipes: Path) -> None:
    rules = (recipes / "recipes.rules").read_text(encoding="utf-8")
    several = "S=MENU:\n    S/_one ⊓ _two ⊓ _three → 'menu' KIND/_one KIND/_two LIST/_three\n"
    several += "LIST=TWO:\n    LIST/_one ⊓ _two → KIND/_one KIND/_two\nLIST=ONE:\n    LIST/_one → KIND/_one\n"
    (recipes / "recipes.rules").write_text(rules.replace("%resolution", several + "%resolution"), encoding="utf-8")
    (recipes / "filters.toml").write_text(TWICE + SORTS + "'S=MENU' = ['1.self = 2.self']\n", encoding="utf-8")
    counts = drawn(QuestionMaker(str(recipes), max_level=12), 600)
    assert min(counts["tree"], counts["twice"]) > 20


def test_room_that_is_too_small_is_made_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = QuestionMaker("cfq", max_level=25)
    monkeypatch.setattr(drawing_tables, "_ROOM", 1)
    monkeypatch.setattr(drawing_tables, "_KEYS", 1)
    small = maker._drawer = TreeDrawer(maker._drawer._tables.table, maker.filters)
    assert drawn(maker, 60)["tree"] > 50
    tables = small._tables
    assert min(map(len, (tables.nodes, tables.options, tables.choices, tables.keys, tables.fits))) > 1


def test_trees_do_not_depend_on_those_before() -> None:
    maker = QuestionMaker("cfq", max_level=20)
    first = [maker._drawer.draw(15, RandomNumbers(np.random.default_rng(seed))) for seed in range(20)]
    drawn(maker, 200)
    again = [maker._drawer.draw(15, RandomNumbers(np.random.default_rng(seed))) for seed in range(20)]
    assert again == first
