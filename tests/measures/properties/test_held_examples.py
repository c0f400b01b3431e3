"""Programs and pairs of names that are drawn are those of the data, and every name stays in train."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from asked import asked
from recombine.errors import InfeasibleError
from recombine.languages.scenes import name_of
from recombine.measures.properties.anonymous_programs import anonymous_programs
from recombine.measures.properties.held_examples import held_examples
from recombine.measures.properties.holds import Properties
from recombine.measures.properties.name_pairs import name_pairs
from recombine.measures.properties.property_table import Preset, PropertyTable, property_table
from recombine.records.dataset import Dataset
from recombine.structures.programs.templates import templates
from recombine.workbench import load
from recombine.workbench.generate import GenerateResult


def names_of(data: Dataset, row: int) -> set[str]:
    """The names of an example by a walk over its tree."""
    assert data.language is not None
    tree = data.language.parse(data[row].target)
    leaves = {node.label for node in tree.iter_nodes() if not node.children}
    names = {name_of(label) for label in leaves if label != "scene()" and not label.isdigit()}
    asks = tree.label.startswith(("query_attr", "query_name"))
    return names | ({data[row].context["answer"]} if asks else set())


@pytest.mark.parametrize("made", [False, True])
def test_programs_are_the_templates(made: bool, noisy_questions: GenerateResult) -> None:
    data = noisy_questions.dataset if made else asked()
    names, which = anonymous_programs(Properties(data))
    assert [names[number] for number in which] == templates(data)
    assert names == sorted(set(names))


@pytest.mark.parametrize("made", [False, True])
def test_pairs_are_those_of_a_walk(made: bool, noisy_questions: GenerateResult) -> None:
    data = noisy_questions.dataset if made else asked()
    wanted: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for row in range(len(data)):
        names = sorted(names_of(data, row))
        alone.update(names)
        wanted.update(f"{a} + {b}" for a, b in combinations(names, 2))
    pairs = name_pairs(Properties(data))
    of_names, of_pairs = pairs.often(np.ones(len(data), np.bool_))
    assert dict(zip(pairs.texts(), of_pairs.tolist(), strict=True)) == dict(wanted)
    assert dict(zip(pairs.names, of_names.tolist(), strict=True)) == dict(alone)
    held = np.array([text in ("bed + dog", "cap + on") for text in pairs.texts()])
    both = [{"bed", "dog"}, {"cap", "on"}]
    assert pairs.having(held).tolist() == [any(b <= names_of(data, row) for b in both) for row in range(len(data))]


def test_a_share_of_the_programs() -> None:
    data = asked()
    asked_of = Properties(data)
    names, which = anonymous_programs(asked_of)
    held = held_examples(asked_of, "covr:program", property_table(), seed=3)
    number, of = map(int, held.fields["drawn"].partition(" ")[0].split("/"))
    assert (number, of) == (round(0.2 * len(names)), len(names))
    chosen = {names[which[row]] for row in np.flatnonzero(held.mask)}
    assert len(chosen) == number
    assert held.mask.tolist() == [names[place] in chosen for place in which]
    assert held_examples(Properties(data), "covr:program", property_table(), seed=3).fields == held.fields
    assert held_examples(Properties(data), "covr:program", property_table(), seed=4).fields != held.fields


@pytest.mark.parametrize("seed", range(4))
def test_every_name_stays_in_train(seed: int) -> None:
    data = asked()
    held = held_examples(Properties(data), "covr:lexical", property_table(), seed=seed)
    train = [row for row in range(len(data)) if data[row].context["part"] == "train"]
    before = set().union(*(names_of(data, row) for row in train))
    assert set().union(*(names_of(data, row) for row in train if not held.mask[row])) == before
    assert held.mask.any()


def pairs_preset(**values: Any) -> PropertyTable:
    return PropertyTable({}, {"mine": Preset("mine", draw="pairs", **values)})


def test_least_numbers_of_a_pair() -> None:
    # dog and red: together three times, dog without red twice, red without dog twice.
    things = [("red", "dog")] * 3 + [("red", "cat")] * 2 + [("blue", "dog")] * 2
    texts = [f"exists ( filter ( {attribute} , find ( {noun} ) ) )" for attribute, noun in things]
    made = Properties(load([(f"{row} {text}", text) for row, text in enumerate(texts)], language="scenes"))
    one = held_examples(made, "mine", pairs_preset(number=1, apart=2, together=3), seed=0)
    assert one.mask.tolist() == [True] * 3 + [False] * 4
    assert one.fields["drawn"].startswith("1/3 pairs@")
    with pytest.raises(InfeasibleError, match="mine draws 1 pairs, and there are 0 each 3 times apart in train and 3"):
        held_examples(made, "mine", pairs_preset(number=1, apart=3, together=3), seed=0)
    with pytest.raises(InfeasibleError, match="and there are 0 each 2 times apart in train and 4 times together"):
        held_examples(made, "mine", pairs_preset(number=1, apart=2, together=4), seed=0)
    with pytest.raises(InfeasibleError, match="mine draws 2 pairs, and 1 leave every name in train"):
        held_examples(made, "mine", pairs_preset(number=2), seed=0)
