"""Pools: templates that are chosen, and what names exclude each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from recombine.errors import OptionError
from recombine.scenes.balance.balanced_parts import make_balanced_parts
from recombine.scenes.balance.question_pool import PoolSetting, make_pool
from recombine.scenes.related.exclusion import DifferentNames
from recombine.scenes.related.hierarchy_exclusion import HierarchyExclusion
from recombine.scenes.related.table_exclusion import TableExclusion
from recombine.scenes.synthetic.world import make_world
from recombine.scenes.templates.choose_templates import choose_templates

SCENES = make_world(60, seed=2)[0]
COUNT = choose_templates("COUNT")


def test_only_chosen_templates_are_asked() -> None:
    setting = PoolSetting(SCENES, 1, templates=choose_templates("COUNT,VERIFYLOGIC"))
    made = make_balanced_parts(setting, 20, pool=300)
    assert Counter(each.template for each in made.questions["train"]) == {"COUNT": 8, "VERIFYLOGIC": 8}
    assert set(made.pool) == {"COUNT", "VERIFYLOGIC"}


def test_another_exclusion_of_the_same_scenes_makes_other_questions() -> None:
    """An index that was made for one exclusion is not used for another of the same class."""
    nothing = TableExclusion({("noun", "boy", "girl"): 0.0}, DifferentNames())
    other = TableExclusion({("noun", "boy", "girl"): 1.0}, DifferentNames())
    again = TableExclusion({("noun", "boy", "girl"): 0.0}, DifferentNames())
    asked = [
        make_pool(PoolSetting(SCENES, 1, exclusion=each, templates=COUNT), {"COUNT": 50}, 60).questions
        for each in (nothing, other, again)
    ]
    assert asked[0] != asked[1]
    assert asked[0] == asked[2]


def test_hierarchies_that_say_the_same_are_equal() -> None:
    first, second = HierarchyExclusion({"animal": ["dog"]}, {}), HierarchyExclusion({"animal": ["dog"]}, {})
    assert first == second
    assert hash(first) == hash(second)
    assert first != HierarchyExclusion({"animal": ["cat"]}, {})
    assert first != DifferentNames()


def test_templates_of_types_need_types() -> None:
    setting = PoolSetting(replace(SCENES, attribute_types={}), 1, templates=choose_templates("COUNT,QUERYATTR"))
    with pytest.raises(OptionError, match=r"no attribute of the scenes has a type, such as color, which QUERYATTR ask"):
        make_balanced_parts(setting, 20)
    assert make_balanced_parts(replace(setting, templates=COUNT), 10).questions["train"]
