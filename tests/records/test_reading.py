"""What a split remembers of its data: in every split that is made, in its file, and nowhere that is compared."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from toy_world import write_toy

import recombine
from recombine.errors import InputWarning, SplitError
from recombine.languages.funql import FUNQL
from recombine.languages.language import Language
from recombine.records.dataset import Dataset
from recombine.records.reading import Reading
from recombine.records.split import Split
from recombine.structures.own_structures import say_kept
from recombine.workbench import load_for

KINDS, PLACES = ("city", "river", "state", "lake"), ("loc_2", "next_to_2", "traverse_2")
PAIRS = [(f"{k} {p}", f"answer ( intersection ( {k} , {p} ( m0 ) ) )") for k in KINDS for p in PLACES]
PAIRS += [(f"{f} {k}", f"answer ( {f} ( {k} ) )") for f in ("largest", "count", "longest") for k in KINDS]
ROWS = [{"question": source, "query": target} for source, target in PAIRS]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with data whose fields are `question` and `query`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in ROWS))
    return tmp_path


def load() -> Dataset:
    return recombine.load("mine.jsonl", source="question", target="query", language="funql")


@pytest.mark.parametrize("by", ["random", "length:target", "template", "tmcd"])
def test_splits_from_python_remember(by: str, mine: Path) -> None:
    split = recombine.split(load(), by=by, test=2)
    assert split.reading == Reading("funql", "question", "query", "mine.jsonl")
    split.write("split.json")
    record = orjson.loads((mine / "split.json").read_bytes())
    kept = {"language": "funql", "source": "question", "target": "query", "data_path": "mine.jsonl"}
    assert {key: record[key] for key in kept} == kept
    assert recombine.load_split(load(), "split.json").reading == split.reading


def test_functions_take_language_and_fields_from_the_file(mine: Path) -> None:
    split = recombine.split(load(), by="random", test=2)
    split.write("split.json")
    for data in ("mine.jsonl", mine / "mine.jsonl", ROWS):
        for given in ("split.json", split):
            assert recombine.measure(data, given)["compound_divergence"] == split.measured["compound_divergence"]
            assert recombine.check(data, given)["not_checked"] == []
            assert recombine.load_split(data, given) == split
    read = recombine.load("mine.jsonl", source="question", target="query")
    assert read.language is None
    assert recombine.check(read, "split.json")["not_checked"] == []


def test_data_loaded_otherwise_is_refused(mine: Path) -> None:
    recombine.split(load(), by="random", test=2).write("split.json")
    other = recombine.load("mine.jsonl", source="question", target="query", language="sexpression")
    with pytest.raises(
        SplitError, match="made for targets in the language 'funql', not in 'sexpression'; leave out --"
    ):
        recombine.measure(other, "split.json")
    turned = recombine.load("mine.jsonl", source="query", target="question", language="funql")
    with pytest.raises(SplitError, match="made with sources from the field 'question', not from 'query'"):
        recombine.check(turned, "split.json")


def test_a_language_of_ones_own(mine: Path) -> None:
    own = Language("own", FUNQL.parse, FUNQL.render)
    data = Dataset("mine", load().examples, {}, load().structures, own)
    say_kept.cache_clear()
    with pytest.warns(InputWarning, match="literals are kept: own does not tell them"):
        recombine.split(data, by="random", test=2).write("split.json")
    [sentence] = recombine.measure(data, "split.json")["not_measured"]
    assert sentence.startswith("the expected accuracy was not measured")
    with pytest.raises(SplitError, match="in the language 'own', which is not known here"):
        recombine.measure("mine.jsonl", "split.json")


def test_pairs_have_no_fields(tmp_path: Path) -> None:
    data = recombine.load(PAIRS)
    split = recombine.split(data, by="random", test=2)
    assert split.reading == Reading()
    split.write(tmp_path / "split.json")
    # Nothing is claimed of the fields, so the same content may come from any; nor of the language.
    assert recombine.check(recombine.load(ROWS, source="question", target="query", language="funql"), split)["sizes"]


def test_index_forms_become_our_form_with_what_the_data_knows(mine: Path) -> None:
    split = recombine.split(load(), by="random", test=2)
    split.write("lines.json", form="nqg", order=[example.id for example in load()])
    assert recombine.load_split(load(), "lines.json").reading == split.reading


def test_an_old_file_still_reads(mine: Path) -> None:
    split = recombine.split(load(), by="random", test=2)
    split.write("split.json")
    record = orjson.loads((mine / "split.json").read_bytes())
    old = {key: value for key, value in record.items() if key not in ("language", "source", "target", "data_path")}
    (mine / "old.json").write_bytes(orjson.dumps(old))
    again = recombine.load_split(load(), "old.json")
    assert again == split
    assert again.reading is None
    with pytest.warns(InputWarning, match=r"old.json does not say the language and the fields of its data"):
        measured = recombine.measure(load(), "old.json")
    assert measured == recombine.measure(load(), split)


def test_a_key_that_is_not_text_is_refused(mine: Path) -> None:
    split = recombine.split(load(), by="random", test=2)
    record = orjson.loads(split.to_bytes()) | {"language": 3}
    (mine / "split.json").write_bytes(orjson.dumps(record))
    with pytest.raises(SplitError, match=r"split.json: the key 'language' is not text"):
        recombine.load_split(load(), "split.json")


def test_the_path_is_a_hint(mine: Path) -> None:
    """Data at another path is as good; what is compared, hashed or signed does not know of paths."""
    relative = recombine.split(load(), by="random", test=2)
    absolute = recombine.split(
        recombine.load(mine / "mine.jsonl", source="question", target="query", language="funql"), by="random", test=2
    )
    assert relative.to_bytes() == absolute.to_bytes()
    assert str(mine).encode() not in absolute.to_bytes()
    (mine / "mine.jsonl").rename(mine / "moved.jsonl")
    relative.write("split.json")
    data = recombine.load("moved.jsonl", source="question", target="query", language="funql")
    assert recombine.load_split(data, "split.json") == relative
    assert "path" not in str(relative.signature)
    assert data.hash == relative.data_hash


def test_other_content_is_refused_whatever_its_path(mine: Path) -> None:
    recombine.split(load(), by="random", test=2).write("split.json")
    (mine / "mine.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in ROWS[1:]))
    with pytest.raises(SplitError, match=r"was made for mine with content .*, once at mine\.jsonl$"):
        recombine.measure("mine.jsonl", "split.json")


def test_reading_is_not_compared(mine: Path) -> None:
    split = recombine.split(load(), by="random", test=2)
    assert Split(split.parts, split.data, split.data_hash, split.signature, split.measured) == split


def test_a_file_of_the_same_content_serves_a_split_of_the_catalogue(scan: Dataset) -> None:
    split = recombine.split(scan, by="random", train=50, test=10, structures="dag:2-2,counts")
    assert split.reading == Reading()
    rows = [{"command": example.source, "actions": example.target} for example in scan]
    data = recombine.load(rows, source="command", target="actions")
    made = recombine.split(data, by="random", train=50, test=10)
    assert made.reading == Reading(None, "command", "actions")
    assert recombine.load_split("scan", made) == made


# -- worlds ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("toy_kind")
def test_a_split_remembers_the_world_and_refuses_another(mine: Path) -> None:
    blue, grey = write_toy(mine / "blue.toy.json", sky="blue"), write_toy(mine / "grey.toy.json", sky="grey")
    over = recombine.load("mine.jsonl", source="question", target="query", language="funql", world=blue)
    recombine.split(over, by="random", test=2).write("split.json")
    record = orjson.loads((mine / "split.json").read_bytes())
    assert record["world"] == {"kind": "toy", "sha256": over.reading.world and over.reading.world.sha256}
    assert recombine.load_split(over, "split.json").reading == over.reading
    other = recombine.load(load(), world=grey)
    told = r"split.json: was made over the world toy@\w{16}, not over toy@\w{16}; give that world with --world"
    for use in (recombine.load_split, recombine.check, recombine.measure):
        with pytest.raises(SplitError, match=told) as caught:
            use(other, "split.json")
        assert "\n" not in str(caught.value)
    with pytest.raises(SplitError, match=r"was made over the world toy@\w{16}, and mine has none; give that world"):
        recombine.load_split(load(), "split.json")
    assert load_for("mine.jsonl", ["split.json"], world=blue).reading == over.reading
    assert recombine.load_split("mine.jsonl", "split.json", world=blue).reading == over.reading


def test_a_split_of_data_without_a_world_says_nothing_of_one(mine: Path) -> None:
    recombine.split(load(), by="random", test=2).write("split.json")
    assert "world" not in orjson.loads((mine / "split.json").read_bytes())


@pytest.mark.parametrize("world", ["toy", {"kind": "toy"}, {"kind": "toy", "sha256": 1}, {"kind": "", "sha256": "0"}])
def test_a_world_that_is_none_is_refused(world: object, mine: Path) -> None:
    recombine.split(load(), by="random", test=2).write("split.json")
    record = orjson.loads((mine / "split.json").read_bytes())
    (mine / "split.json").write_bytes(orjson.dumps({**record, "world": world}))
    with pytest.raises(SplitError, match=r"split.json: the (key 'world' is not|kind or the sha256)"):
        recombine.load_split(load(), "split.json")
