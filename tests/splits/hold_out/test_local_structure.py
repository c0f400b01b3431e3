"""Adversarial splits by local structures: by hand, their laws, and what is discarded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from recombine.easiness.split_difficulty import split_difficulty
from recombine.easiness.structure_similarity import structure_similarity
from recombine.errors import DerivationError, InfeasibleError, OptionError, RecombineError
from recombine.records.dataset import Dataset
from recombine.splits.hold_out.hold_out_structures import Candidates, Discarded
from recombine.splits.hold_out.local_structure import LocalStructureSplits, LocalStructureSplitter
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import dataset_arrays
from recombine.structures.programs.templates import templates
from recombine.workbench import load
from small_programs import sample_programs

TEXTS = [
    "count ( dog )",
    "count ( cat )",
    "exists ( dog )",
    "exists ( cat )",
    "not ( exists ( dog ) )",
    "not ( exists ( cat ) )",
]
NO_SIBLINGS = "local:2,no-siblings"


def data(texts: list[str] = TEXTS) -> Dataset:
    return load([(str(number), text) for number, text in enumerate(texts)], language="functional")


def splits(**options: Any) -> LocalStructureSplits:
    return LocalStructureSplitter(**{"local": NO_SIBLINGS, "max_templates": 0.5, **options}).splits(data())


def test_by_hand() -> None:
    # From <s> > exists: <s> > count has similarity 3/4 (parents <s> of <s>, not; the same children), <s> > not 1/4.
    # t = 0 takes everything, t = 1/4 two templates of three, t = 3/4 only the programs that begin with exists.
    found = splits()
    (held,) = found.held_out
    assert (held.seeds, held.structures, held.threshold) == (("<s> > exists",), ("<s> > exists",), 0.75)
    assert held.template_share == pytest.approx(1 / 3)
    assert held.test.tolist() == [False, False, True, True, False, False]
    # Then exists has the parent not, count the parent <s>, and both the same children.
    assert held.easiness == 0.5
    (split,) = found.splits
    assert [data()[key].target for key in split.test] == ["exists ( dog )", "exists ( cat )"]
    assert "held_out:<s> > exists|threshold:0.75" in str(split.signature)
    reasons = {one.seeds[0]: one.reason for one in found.discarded}
    assert len(reasons) == 7
    assert reasons["<s> > not"] == "with t = 0.500, the highest, train would lack the symbol 'not'"
    assert reasons["exists > cat"] == "with t = 0.750, the highest, test has 0.667 of the templates, more than 0.5"


def test_the_easiness_is_that_of_the_difficulty() -> None:
    found = splits()
    assert split_difficulty(data(), found.splits[0], structures=NO_SIBLINGS).mean_easiness == found.held_out[0].easiness


def test_splits_that_are_too_easy_are_discarded() -> None:
    found = splits(max_easiness=0.4)
    assert found.splits == ()
    assert found.discarded[-1] == Discarded(("<s> > exists",), "its easiness is 0.500, more than 0.4")
    assert len(splits(max_easiness=0.5).splits) == 1


def test_equal_divisions_are_one() -> None:
    # eq and gt occur in the same places, so that each is held out with the other, whichever comes first.
    found = LocalStructureSplitter(local=NO_SIBLINGS).splits(covr())
    assert ("<s> > eq", "<s> > gt") in [held.seeds for held in found.held_out]
    masks = [held.test.tobytes() for held in found.held_out]
    assert len(masks) == len(set(masks))
    assert [held.easiness for held in found.held_out] == sorted(held.easiness for held in found.held_out)


def covr() -> Dataset:
    return data(sample_programs(300))


@pytest.mark.parametrize("structures", ["local:2", NO_SIBLINGS, "local:3"])
def test_laws(structures: str) -> None:
    dataset = covr()
    splitter = LocalStructureSplitter(local=structures, max_templates=0.3)
    found = splitter.splits(dataset)
    assert found.splits
    forms = templates(dataset)
    for split, held in zip(found.splits, found.held_out, strict=True):
        train, test = split.indices(dataset)
        assert sorted([*train, *test]) == list(range(len(dataset)))
        assert len({forms[row] for row in test}) / len(set(forms)) == pytest.approx(held.template_share)
        assert held.template_share <= 0.3
        seen = {word for row in train for word in dataset[row].target.split()}
        assert {word for row in test for word in dataset[row].target.split()} <= seen
    seeds = [seed for held in found.held_out for seed in held.seeds] + [s for one in found.discarded for s in one.seeds]
    assert len(seeds) == len(set(seeds))  # every structure is kept once or discarded once


def test_half_leaves_something_similar_in_train() -> None:
    dataset = covr()
    whole = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.3)
    half = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.3, half=True, seed=3)
    full = {held.seeds[0]: held for held in whole.splits(dataset).held_out}
    for held in half.splits(dataset).held_out:
        all_of_it = full[held.seeds[0]]
        assert set(held.structures) <= set(all_of_it.structures)
        assert len(held.structures) == (len(all_of_it.structures) + 1) // 2
    first, second = (half.splits(dataset).splits for _ in range(2))
    assert [one.to_bytes() for one in first] == [one.to_bytes() for one in second]
    assert "half:yes" in str(first[0].signature)


def test_one_split_by_its_number_and_with_sizes() -> None:
    dataset = covr()
    splitter = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.3)
    every = splitter.splits(dataset).splits
    assert splitter.split(dataset).to_bytes() == every[0].to_bytes()
    last = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.3, number=len(every) - 1)
    assert last.split(dataset).to_bytes() == every[-1].to_bytes()
    small = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.3, train=10, test=4, seed=1).split(dataset)
    assert small.sizes() == {"train": 10, "test": 4}
    assert set(small.test) <= set(every[0].test)
    ((train, test),) = splitter.iter_indices(dataset)
    assert (train.dtype, len(train) + len(test)) == (np.int64, len(dataset))


def test_no_such_split() -> None:
    splitter = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.5, number=1)
    with pytest.raises(
        InfeasibleError, match=r"there are 1 splits by local:2,no-siblings, and 7 were discarded: with t"
    ):
        splitter.split(data())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_templates": 0.0}, "the share of templates is 0.0"),
        ({"max_easiness": 2.0}, "the greatest easiness is 2.0"),
        ({"max_easiness": "easy"}, "the greatest easiness is easy; give a number from 0 to 1, or auto"),
        ({"max_easiness": "auto"}, "needs --judged"),
        ({"judged": "file.json"}, "needs --judged, and --judged needs it"),
        ({"number": -1}, "there is no split -1"),
        ({"similarity": "none"}, "held out by their similarity"),
        ({"local": "dag:2"}, "cannot read the local structures"),
        ({"tokenisation": "x"}, "unknown tokenisation"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RecombineError, match=message):
        splits(**options)


SIGNATURE = "data:x@1|structures:{}|similarity:contexts|tokenisation:tree|version:0.1.0"


def judged(path: Path, *, easiness: float | None, rule: str = NO_SIBLINGS) -> str:
    threshold = None if easiness is None else {"easiness": easiness, "f1": 1.0}
    path.write_text(json.dumps({"signature": SIGNATURE.format(rule), "threshold": threshold}))
    return str(path)


def test_a_threshold_is_taken_from_what_difficulty_wrote(tmp_path: Path) -> None:
    """The one split has an easiness of 0.5."""
    options: dict[str, Any] = {"local": NO_SIBLINGS, "max_templates": 0.5, "max_easiness": "auto"}
    for easiness, number in ((0.5, 1), (0.49, 0)):
        path = judged(tmp_path / "judged.json", easiness=easiness)
        found = LocalStructureSplitter(**options, judged=path).splits(data())
        assert len(found.splits) == number
    assert any("its easiness is 0.500, more than 0.49" in each.reason for each in found.discarded)
    kept = LocalStructureSplitter(**options, judged=judged(tmp_path / "judged.json", easiness=0.6)).split(data())
    by_hand = LocalStructureSplitter(**{**options, "max_easiness": 0.6}).split(data())
    assert kept.parts == by_hand.parts
    assert kept.signature.get("max_easiness") == by_hand.signature.get("max_easiness") == "0.6"
    assert kept.signature.get("judged").startswith("judged.json@")
    assert not by_hand.signature.get("judged")
    (tmp_path / "both.json").write_text(
        json.dumps({"splits": [{"signature": SIGNATURE.format(NO_SIBLINGS)}] * 2, "threshold": {"easiness": 0.5}})
    )
    assert LocalStructureSplitter(**options, judged=str(tmp_path / "both.json")).split(data()).parts == kept.parts


def test_a_threshold_must_be_of_the_same_rule(tmp_path: Path) -> None:
    options: dict[str, Any] = {"local": NO_SIBLINGS, "max_templates": 0.5, "max_easiness": "auto"}
    for content, problem in (
        (judged(tmp_path / "a.json", easiness=0.5, rule="local:2"), "for structures local:2, and the split is made by"),
        (judged(tmp_path / "b.json", easiness=None), "has no threshold of easiness .all its examples are right"),
        (str(tmp_path / "none.json"), "none.json"),
    ):
        with pytest.raises(RecombineError, match=problem):
            LocalStructureSplitter(**options, judged=content).split(data())
    (tmp_path / "c.json").write_text('{"splits": [{"signature": 3}], "threshold": {"easiness": 0.5}}')
    with pytest.raises(RecombineError, match="for structures unknown"):
        LocalStructureSplitter(**options, judged=str(tmp_path / "c.json")).split(data())
    (tmp_path / "d.json").write_text("[1")
    with pytest.raises(RecombineError, match=r"d\.json: not JSON"):
        LocalStructureSplitter(**options, judged=str(tmp_path / "d.json")).split(data())
    other = LocalStructureSplitter(**{**options, "similarity": "relations"}, judged=str(tmp_path / "a.json"))
    judged(tmp_path / "a.json", easiness=0.5)
    with pytest.raises(RecombineError, match="for similarity contexts, and the split is made by relations"):
        other.split(data())


def test_a_language_is_needed() -> None:
    with pytest.raises(DerivationError, match="language of records's targets is not known"):
        LocalStructureSplitter().split(load([("a", "b")]))


def test_every_option_changes_the_signature() -> None:
    dataset = covr()
    base = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.3).split(dataset).signature
    for options in ({"max_easiness": 1.0}, {"similarity": "relations"}, {"max_templates": 0.31}, {"number": 1}):
        other = LocalStructureSplitter(**{"local": NO_SIBLINGS, "max_templates": 0.3, **options})  # type: ignore[arg-type]
        assert other.split(dataset).signature != base
    with pytest.raises(OptionError):
        LocalStructureSplitter(max_easiness=-1.0)


@pytest.mark.shared_data
def test_real_programs(data_dir: Path) -> None:
    lines = gzip.decompress((data_dir / "covr_text" / "examples.jsonl.gz").read_bytes()).splitlines()
    pairs = [(str(n), orjson.loads(line)["target"]) for n, line in enumerate(lines)]
    dataset = load(pairs, language="covr")
    found = LocalStructureSplitter(local=NO_SIBLINGS, max_easiness=0.3).splits(dataset)
    assert len(found.splits) >= 4
    assert all(held.easiness <= 0.3 and held.template_share <= 0.3 for held in found.held_out)


def slow_hold_out(found: Candidates, programs: list[set[str]], column: int) -> tuple[float, set[int]] | None:
    """The lowest threshold that makes a fair split and the structures above it, all from the definitions."""
    alike = {
        other: structure_similarity(found.structures, found.symbol_similarity, column, other)
        for other in range(found.structures.shape[1])
    }
    for threshold in sorted({0.0, *(value for value in alike.values() if value < 1)}):
        chosen = {other for other, value in alike.items() if value > threshold}
        test = {int(row) for other in chosen for row in found.structures.programs_with(other)}
        seen = {word for row, words in enumerate(programs) if row not in test for word in words}
        share = len({found.templates[row] for row in test}) / len(set(found.templates))
        if share <= found.max_templates and all(programs[row] <= seen for row in test):
            return threshold, chosen
    return None


@pytest.mark.parametrize(
    ("structures", "share", "zero"), [("local:2", 0.3, True), ("local:2", 0.1, False), (NO_SIBLINGS, 0.3, False)]
)
def test_the_threshold_is_the_lowest_that_is_fair(structures: str, share: float, zero: bool) -> None:
    dataset = covr()
    arrays = dataset_arrays(dataset, tokenisation="tree")
    found = Candidates(arrays, local_structures(arrays, structures), templates(dataset), "contexts", share)
    programs = [
        {arrays.symbols[label] for label in arrays.labels[arrays.starts[row] : arrays.starts[row + 1]]}
        for row in range(len(dataset))
    ]
    thresholds = []
    for column in range(found.structures.shape[1]):
        expected, held = slow_hold_out(found, programs, column), found.hold_out(column)
        if expected is None:
            assert isinstance(held, str)
            assert held.startswith("with t = ")
        else:
            assert not isinstance(held, str)
            assert (held[0], set(held[1].tolist())) == expected
            thresholds.append(held[0])
    assert (0.0 in thresholds) is zero  # or this test would try nothing there
    assert max(thresholds) > 0.0


def test_bounds_that_are_just_met() -> None:
    # One template of three is in test, and "exists" stands in one program of train.
    (held,) = splits(max_templates=1 / 3).held_out
    assert held.template_share == 1 / 3
    assert splits(max_templates=0.33).held_out == ()
    found = LocalStructureSplitter(local=NO_SIBLINGS, max_templates=0.5).splits(data(TEXTS[:5]))
    assert [one.test.tolist() for one in found.held_out] == [[False, False, True, True, False]]
