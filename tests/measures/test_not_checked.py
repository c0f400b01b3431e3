"""What a check could not look at is said, and why a value is missing; all atoms stand beside a short sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

import recombine
from recombine.records.dataset import Dataset
from recombine.records.split import Split, parse_split
from recombine.structures.definition import Structures

PROGRAMS = [(f"places {n}", f"answer ( loc_2 ( m{n} ) )") for n in range(20)]
PROGRAMS.append(("rivers", "answer ( longest ( river ) )"))


def cut(data: Dataset, train: list[int], **others: list[int]) -> Split:
    parts = {"train": train, **others}
    ids = {name: tuple(data[row].id for row in rows) for name, rows in parts.items()}
    return Split(ids, data.name, data.hash, recombine.Signature.of(data=data, by="hand"))


def test_without_a_language_atoms_are_not_checked() -> None:
    plain, funql = recombine.load(PROGRAMS), recombine.load(PROGRAMS, language="funql")
    split = cut(plain, [*range(18)], test=[18, 20])
    known, unknown = recombine.check(funql, split), recombine.check(plain, split)
    assert known["not_checked"] == []
    assert known["unseen_atom_examples"] == {"test": 2}
    assert len(known["problems"]) == 1
    assert unknown["problems"] == []
    [sentence] = unknown["not_checked"]
    assert sentence.startswith(
        "whether every atom of the other parts is in train was not checked: records has no deriv"
    )
    assert "the language of its targets is not known; name it with --language" in sentence
    assert unknown["unseen_atom_examples"] == unknown["unseen_atoms"] == {}


def test_all_is_checked_where_there_are_derivations(scan: Dataset) -> None:
    split = recombine.split(scan, by="random", train=100, test=20, structures="dag:2-2,counts")
    assert recombine.check(scan, split)["not_checked"] == []


def test_some_without_derivations_are_counted(scan: Dataset) -> None:
    data = Dataset("mixed", (*scan.examples[:3], *(replace(e, derivation=None) for e in scan.examples[3:5])))
    [sentence] = recombine.check(data, cut(data, [0, 1, 2], test=[3]))["not_checked"]
    assert "mixed has 2 examples without a derivation, and the language" in sentence


def test_a_language_without_a_definition_needs_one() -> None:
    data = replace(recombine.load(PROGRAMS, language="funql"), structures="")
    split = cut(data, [0], test=[1])
    assert "does not say what counts as an atom" in recombine.check(data, split)["not_checked"][0]
    assert recombine.check(replace(data, structures="tmcd:geoquery"), split)["not_checked"] == []


def test_line_numbers_are_not_checked_for_their_data() -> None:
    data = recombine.load(PROGRAMS, language="funql")
    order = [example.id for example in data]
    split = parse_split({"train": [0, 20], "test": [0]}, "lines.json", data, order)
    trusted = replace(split, signature=split.signature.with_fields(verified=False))
    [sentence] = recombine.check(data, trusted)["not_checked"]
    assert sentence.startswith("whether the split was made for this content of records was not checked: it names")
    assert "give a split file of our own form" in sentence
    assert recombine.check(data, split)["not_checked"] == []


@pytest.mark.parametrize(
    ("train", "others", "message"),
    [
        ([], {"test": [1]}, "train has no examples"),
        ([0], {}, "no part but train has examples"),
        ([0], {"test": []}, "no part but train has examples"),
    ],
)
def test_parts_that_leave_nothing_to_compare(train: list[int], others: dict[str, list[int]], message: str) -> None:
    data = recombine.load(PROGRAMS, language="funql")
    [sentence] = recombine.check(data, cut(data, train, **others))["not_checked"]
    assert message in sentence


def test_an_empty_part_beside_another_is_no_matter() -> None:
    data = recombine.load(PROGRAMS, language="funql")
    assert recombine.check(data, cut(data, [0], dev=[], test=[1]))["not_checked"] == []


def test_unknown_ids_keep_atoms_from_being_checked() -> None:
    data = recombine.load(PROGRAMS, language="funql")
    split = replace(cut(data, [0], test=[1]), parts={"train": (data[0].id,), "test": ("nobody",)})
    found = recombine.check(data, split)
    assert "1 ids of test are not in records" in found["problems"]
    assert "1 ids are not in records; give the data the split was made for" in found["not_checked"][0]


def test_many_atoms_are_shortened_in_the_sentence_and_whole_beside_it() -> None:
    data = recombine.load(PROGRAMS, language="funql")
    few = recombine.check(data, cut(data, [0], test=[*range(1, 11)]))
    many = recombine.check(data, cut(data, [0], test=[*range(1, 20)]))
    names = sorted(f"m{n}" for n in range(1, 20))
    assert few["unseen_atoms"] == {"test": sorted(f"m{n}" for n in range(1, 11))}
    assert few["problems"][0].endswith(": " + ", ".join(few["unseen_atoms"]["test"]))
    assert many["unseen_atoms"] == {"test": names}
    assert many["problems"][0].endswith(f": {', '.join(names[:10])}, … and 9 more")


def test_missing_values_say_why() -> None:
    plain, funql = recombine.load(PROGRAMS), recombine.load(PROGRAMS, language="funql")
    split = cut(plain, [0, 1], test=[2])
    [sentence] = recombine.measure(plain, split)["not_measured"]
    assert sentence.startswith(
        "D_A, D_C, unseen atoms and expected accuracy were not measured: records has no derivations, and the lang"
    )
    [sentence] = recombine.measure(funql, split)["not_measured"]
    assert sentence.startswith("the expected accuracy was not measured: train has 2 examples, and it is calibrated")
    [sentence] = recombine.measure(funql, split, structures=Structures.parse("tmcd:uls"))["not_measured"]
    assert sentence.endswith(", not subtree:1-2,counts,alpha=0.5")


def test_a_length_ratio_without_words_says_why() -> None:
    data = recombine.load([("a b", "x"), ("c", " ")])
    measured = recombine.measure(data, cut(data, [0], test=[1]))
    assert measured["length_ratio"]["target"] is None
    assert measured["not_measured"][1] == (
        "the length ratio of targets was not measured: no target of test has a word; give some that have"
    )
