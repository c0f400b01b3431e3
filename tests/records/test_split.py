from __future__ import annotations

from pathlib import Path

import orjson
import pytest

import recombine
from recombine.errors import OptionError, SplitError
from recombine.records.split import Split, count_repeats

DATA = recombine.load([(f"s {n}", f"t {n}") for n in range(6)])
IDS = [example.id for example in DATA]


def make(**parts: list[int]) -> Split:
    rows = {name: tuple(IDS[n] for n in numbers) for name, numbers in parts.items()}
    return Split(rows, DATA.name, DATA.hash, recombine.Signature.of(data=DATA, by="hand"))


@pytest.mark.parametrize("form", ["ours", "cfq", "nqg"])
def test_every_form_reads_back(form: str, tmp_path: Path) -> None:
    parts = {"train": [3, 1, 1], "test": [0, 5]} | ({} if form == "nqg" else {"dev": [2]})
    split = make(**parts)
    split.write(tmp_path / "split.json", form=form, order=IDS)
    back = recombine.load_split(DATA, tmp_path / "split.json")
    assert dict(back.parts) == dict(split.parts)
    if form == "ours":
        assert back == split
    else:
        assert back.signature.get("verified") == "no"


def test_our_form_keeps_ids_whatever_the_order_of_the_data(tmp_path: Path) -> None:
    split = make(train=[0, 1], test=[2])
    split.write(tmp_path / "split.json")
    turned = recombine.load([(e.source, e.target) for e in reversed(DATA.examples)])
    assert recombine.load_split(turned, tmp_path / "split.json").indices(turned) == ([5, 4], [3])


def test_index_forms_refuse_other_parts() -> None:
    with pytest.raises(OptionError, match="no place for the part 'gen'"):
        make(train=[0], gen=[1]).to_bytes(form="cfq", order=IDS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[1]", "not a split file"),
        (b"{", "line 1, column 2"),
        (b"{}", "no parts"),
        (b'{"train": [1.5]}', "line numbers"),
        (b'{"train": ["x"]}', "line numbers"),
        (b'{"trainIdxs": [6]}', "line 6, but records has lines 0 to 5"),
        (b'{"trainIdxs": [-1]}', "line -1"),
        (b'{"form": "recombine-split/1", "parts": {"train": [1]}}', "ids"),
        (b'{"form": "recombine-split/1", "parts": {"train": []}}', "'data' is missing"),
    ],
)
def test_malformed_files_are_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "split.json").write_bytes(content)
    with pytest.raises(SplitError, match=message):
        recombine.load_split(DATA, tmp_path / "split.json")


def test_a_split_for_other_data_is_refused() -> None:
    other = recombine.load([("a", "b")])
    with pytest.raises(SplitError, match="was made for records"):
        recombine.load_split(other, make(train=[0]))


def test_repeats_are_counted() -> None:
    assert count_repeats(["a", "b", "a", "a"]) == 2
    assert orjson.loads(make(train=[1, 1]).to_bytes())["parts"]["train"] == [IDS[1], IDS[1]]
