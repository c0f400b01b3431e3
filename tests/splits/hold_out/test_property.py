"""Splits by property: what each part has, what is counted, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asked import asked, without
from recombine.errors import OptionError, RecombineError, SizeError, SplitError
from recombine.measures.check_split import check_split
from recombine.measures.properties.example_fields import ExampleFields
from recombine.measures.properties.holds import holds
from recombine.records.dataset import Dataset
from recombine.records.split import Split
from recombine.splits.hold_out.property import PropertySplitter
from recombine.splits.hold_out.property_parts import PropertyDivision
from recombine.structures.dataset_features import extract_atoms
from recombine.structures.definition import Structures
from recombine.workbench import check, generate, split


def numbers(made: Split) -> dict[str, list[int]]:
    return {part: [int(key[1:]) for key in ids] for part, ids in made.parts.items()}


def problems(data: Dataset, made: Split) -> list[str]:
    atoms = extract_atoms(data, Structures.parse(data.structures).atoms)
    return list(check_split(data, made, atoms=atoms)["problems"])


def test_parts_of_the_field() -> None:
    # By hand: has:num:3 | ans:3 holds of 0, 3, 4, 16 of train, 18 of dev and 23 of test.
    splitter = PropertySplitter(held_out="has:num:3 | ans:3")
    made = splitter.split(asked())
    train = [1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert numbers(made) == {"train": train, "dev": [17, 19, 20], "dev_held": [18], "test": [23]}
    stated = made.signature
    assert stated.get("predicate") == "arg:3 | ans:3"
    assert (stated.get("filtered"), stated.get("one_of_two"), stated.get("parts_from")) == ("4/17", "3", "field")
    assert splitter.notes(made)[0] == "4 of 17 examples (23.5%) are filtered for has:num:3 | ans:3"
    assert splitter.notes(made)[1].startswith("of 3 pairs of twins one has it and the other does not")


def test_the_preset_is_its_predicate() -> None:
    typed = PropertySplitter(held_out="has:num:3 | ans:3", few_shot=2, seed=4).split(asked())
    preset = PropertySplitter(held_out="COVR:HAS-NUM-3-ANS-3", few_shot=2, seed=4).split(asked())
    assert preset.parts == typed.parts
    assert preset.signature.get("held_out") == "covr:has-num-3-ans-3"
    assert preset.signature.get("predicate") == typed.signature.get("predicate")
    with pytest.raises(SizeError, match="--few-shot asks for 500 examples with covr:has-num-3-ans-3, and train could"):
        PropertySplitter(held_out="covr:has-num-3-ans-3").split(asked())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("few", [1, 2, 3, 4])
def test_few_shots_keep_twins_together(few: int, seed: int) -> None:
    # 3 and 4 are twins that both have it; of the twins 0 and 1 only 0 has it, and 16 has none.
    made = PropertySplitter(held_out="has:num:3 | ans:3", few_shot=few, seed=seed).split(asked())
    drawn = set(numbers(made)["train"]) & {0, 3, 4, 16}
    assert len(drawn) == few
    assert (3 in drawn) == (4 in drawn)
    assert made.signature.get("few_shot") == str(few)
    assert problems(asked(), made) == []


def test_twins_that_cannot_be_one() -> None:
    with pytest.raises(SizeError, match=r"asks for 1 examples, and twins that both have .*; ask for 0 or 2"):
        PropertySplitter(held_out="arg:cap & has:num & tag:part=train | tpl:EXISTS", few_shot=1).split(asked())


@given(st.lists(st.sampled_from([1, 2]), min_size=1, max_size=12), st.integers(0, 24), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_any_number_that_can_be_is_drawn(sizes: list[int], few: int, seed: int) -> None:
    twins = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    data = without("part").with_examples(())
    held = np.ones(len(twins), np.bool_)
    division = PropertyDivision(data, ExampleFields(data), held, "it", few, np.random.default_rng(seed))
    if few > len(twins):
        return
    if few % 2 and 1 not in sizes:
        with pytest.raises(SizeError, match="stay together"):
            division._drawn_few(np.arange(len(twins)), twins)
        return
    drawn = division._drawn_few(np.arange(len(twins)), twins)
    assert len(drawn) == len(set(drawn.tolist())) == few
    assert all(np.isin(np.flatnonzero(twins == twins[row]), drawn).all() for row in drawn)


# -- without a field --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def covr() -> Dataset:
    return generate("covr", n=400, seed=1).dataset


def test_all_is_used_where_nothing_is_said(covr: Dataset) -> None:
    mask = holds(covr, "has:quant")
    made = PropertySplitter(held_out="has:quant").split(covr)
    assert [mask[covr.index[key]] for key in made.train] == [False] * int((~mask).sum())
    assert [mask[covr.index[key]] for key in made.test] == [True] * int(mask.sum())
    assert made.signature.get("filtered") == f"{mask.sum()}/400"
    assert problems(covr, made) == []


def test_sizes(covr: Dataset) -> None:
    mask = holds(covr, "has:quant")
    made = PropertySplitter(held_out="has:quant", train=150, dev=0.1, test=20, few_shot=5, seed=2).split(covr)
    held = round((int(mask.sum()) - 5) * 40 / int((~mask).sum()))
    assert made.sizes() == {"train": 155, "dev": 40, "dev_held": held, "test": 20}
    assert sum(mask[covr.index[key]] for key in made.train) == 5
    assert problems(covr, made) == []
    again = PropertySplitter(held_out="has:quant", train=150, dev=0.1, test=20, few_shot=5, seed=2).split(covr)
    assert made.to_bytes() == again.to_bytes()
    other = PropertySplitter(held_out="has:quant", train=150, dev=0.1, test=20, few_shot=5, seed=3).split(covr)
    assert made.parts != other.parts


def test_scenes_are_divided() -> None:
    data = without("part")
    made = PropertySplitter(held_out="has:count", seed=1).split(data)
    images = {part: {i for key in ids for i in data[key].context["images"]} for part, ids in made.parts.items()}
    others = set().union(*(images[part] for part in images if part != "train"))
    assert images["train"]
    assert others
    assert not images["train"] & others
    used = sum(made.sizes().values())
    assert int(made.signature.get("left_out")) > 0
    assert used < len(data)
    assert made.signature.get("parts_from") == "sizes"
    assert problems(data, made)[1:] == []  # small data may lack atoms


# -- refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"held_out": ""}, "needs to know what is held out"),
        ({"held_out": "has:qant"}, "unknown property 'has:qant'; did you mean 'has:quant'"),
        ({"held_out": "has:count & (has:attr"}, "column 13: this bracket is not closed"),
        ({"held_out": "has:groupby"}, "test would be empty: no example that it could have has has:groupby"),
        ({"held_out": "tpl:VERIFYQANT"}, "tpl:VERIFYQANT holds of no example .did you mean 'VERIFYQUANT'"),
        ({"held_out": "op:cuont"}, "op:cuont holds of no example .did you mean 'count'"),
        ({"held_out": "!op:nothing"}, "train would be empty: no example that it could have lacks !op:nothing"),
        ({"held_out": "has:count", "few_shot": 99}, "--few-shot asks for 99 examples with has:count, and train could"),
        ({"held_out": "has:count", "few_shot": -1}, "--few-shot is -1"),
        ({"held_out": "has:count", "test": 3}, "the examples of asked say their part"),
        ({"held_out": "has:count", "parts_from": "both"}, "--parts-from is 'both'; give field or sizes"),
        ({"held_out": "has:count", "properties": "nowhere.toml"}, "nowhere.toml"),
    ],
)
def test_what_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(RecombineError, match=problem):
        PropertySplitter(**options).split(asked())


def test_parts_that_cannot_be() -> None:
    with pytest.raises(SplitError, match=r"1 twins of asked are torn apart .* such as q3 of train and q4"):
        PropertySplitter(held_out="has:count").split(asked(part={4: "test"}))
    with pytest.raises(SplitError, match="1 scenes of asked are both in train and in dev or test, such as t5"):
        PropertySplitter(held_out="has:count").split(asked(images={20: ["d1", "t5"]}))
    with pytest.raises(OptionError, match="the field 'part' of the example q9 of asked is 'valid'; known: train, dev"):
        PropertySplitter(held_out="has:count").split(asked(part={9: "valid"}))
    with pytest.raises(OptionError, match="--parts-from field needs the field 'part'"):
        PropertySplitter(held_out="has:count", parts_from="field").split(without("part"))


def test_sizes_that_cannot_be(covr: Dataset) -> None:
    number = int(holds(covr, "has:quant").sum())
    wanted: list[tuple[dict[str, Any], str]] = [
        ({"train": 390}, f"train with dev asks for 390 examples, and {400 - number} lack has:quant"),
        ({"test": 390}, f"test with dev asks for 390 examples, and {number} have has:quant"),
    ]
    for sizes, problem in wanted:
        with pytest.raises(SizeError, match=problem):
            PropertySplitter(held_out="has:quant", **sizes).split(covr)
    with pytest.raises(SizeError, match=f"asks for 400 examples with has:quant, and train could have {number}"):
        PropertySplitter(held_out="has:quant", few_shot=400).split(covr)


# -- checked ----------------------------------------------------------------------------------------------------------


def changed(made: Split, **moved: tuple[str, str]) -> Split:
    """The split with an example taken from one part to another; a part of none is not in the split."""
    parts = {name: list(ids) for name, ids in made.parts.items()}
    for key, (old, new) in moved.items():
        if old:
            parts[old].remove(key)
        if new:
            parts[new].append(key)
    whole = {name: tuple(ids) for name, ids in parts.items()}
    return Split(whole, made.data, made.data_hash, made.signature, reading=made.reading)


@pytest.mark.parametrize(
    ("moved", "problem"),
    [
        ({"q0": ("", "train")}, "1 examples of train have has:num:3 | ans:3, not 0 as stated, such as q0"),
        ({"q24": ("", "test")}, "1 examples of test do not have has:num:3 | ans:3, such as q24"),
        ({"q18": ("dev_held", "dev")}, "1 examples of dev have has:num:3 | ans:3, such as q18"),
        ({"q17": ("dev", "dev_held")}, "1 examples of dev_held do not have has:num:3 | ans:3, such as q17"),
        ({"q18": ("dev_held", "test")}, "1 examples of test say in their field 'part' that they are of another, such as"
         " q18"),
        ({"q19": ("dev", "train")}, "1 twins are torn apart, such as q19 of train and q18"),
        ({"q25": ("", "train")}, "1 scenes are both in train and in another part, such as e2"),
    ],
)  # fmt: skip
def test_planted_violations_are_named(moved: dict[str, tuple[str, str]], problem: str) -> None:
    data = asked()
    made = PropertySplitter(held_out="has:num:3 | ans:3").split(data)
    extra = {"q24": ("", "test")} if "q25" in moved else {}  # a question of test about the same scene
    assert problem in problems(data, changed(made, **extra, **moved))


def test_a_changed_predicate_is_found() -> None:
    data = asked()
    made = PropertySplitter(held_out="has:num:3 | ans:3").split(data)
    other = made.signature.with_fields(predicate="arg:3")
    found = problems(data, Split(made.parts, made.data, made.data_hash, other))
    assert "has:num:3 | ans:3 means arg:3 | ans:3, and the split was made by arg:3" in found
    drawn = PropertySplitter(held_out="covr:program", seed=2).split(data)
    forged = drawn.signature.with_fields(seed="3")
    assert any("were drawn as the signature says" in each for each in problems(
        data, Split(drawn.parts, drawn.data, drawn.data_hash, forged)
    ))  # fmt: skip


def test_what_is_held_out_is_said() -> None:
    data = asked()
    made = split(data, by="property", held_out="has:count & has:attr")
    said = check(data, made)
    assert said.held_out[0].startswith("has:count & has:attr: 1 of 1 examples of dev_held have it, train has none")
    # An atom that only examples with the property have is held out with them; one that others have is a problem.
    quant = PropertySplitter(held_out="has:quant:some | tpl:EXISTS").split(data)
    report = check_split(data, quant, atoms=extract_atoms(data, Structures.parse(data.structures).atoms))
    assert "atoms that no other example has: 1 examples of test hold some" in report["held_out"]
    assert report["problems"] == []
    lost = changed(quant, **{f"q{row}": ("train", "") for row in (5,)})
    assert any("hold atoms unseen in train" in each for each in problems(data, lost))


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[properties]\n"my:own" = "has:count & has:attr"\n[presets.mine]\ndraw = "programs"\nshare = 0.3\n')
    data = asked()
    made = split(data, by="property", held_out="my:own", properties=str(path))
    assert made.parts == split(data, by="property", held_out="has:count & has:attr").parts
    assert made.signature.get("properties").startswith("mine.toml@")
    assert check(data, made).not_checked == []  # the predicate is in the file of the split
    assert check(data, made, properties=path).problems == check(data, made).problems
    drawn = split(data, by="property", held_out="mine", properties=str(path), seed=1)
    assert "give it with --properties" in check(data, drawn).not_checked[0]
    assert check(data, drawn, properties=path).not_checked == []
    path.write_text(path.read_text().replace("0.3", "0.4"))
    assert "those of here are mine.toml@" in check(data, drawn, properties=path).not_checked[0]
