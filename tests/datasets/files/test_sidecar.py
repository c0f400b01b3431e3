"""What stands beside a data file: contexts, identity and the world, in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from toy_world import Toy, write_toy

import recombine
from recombine.datasets.files.sidecar import sidecar_path
from recombine.datasets.files.tables import read_table, write_table
from recombine.errors import InputFileError, OutputFileError, RecombineError, RecordError
from recombine.records.dataset import Dataset
from recombine.records.example import Example, content_id, frozen_context, thawed
from recombine.records.world import WorldReference, world_digest

pytestmark = pytest.mark.usefixtures("toy_kind")
RECORDS = [
    {"source": "how many", "target": "count", "scene": 1, "seen": ["a", {"b": None}], "who": "x"},
    {"source": "how many", "target": "count", "scene": 2, "seen": [], "who": "y"},
]
META = {"context": ["scene", "seen"], "identity": ["scene"]}


def put(folder: Path, meta: Any, records: list[dict[str, Any]] = RECORDS, name: str = "data.jsonl") -> Path:
    path = folder / name
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    if meta is not None:
        sidecar_path(path).write_bytes(orjson.dumps(meta) if not isinstance(meta, bytes) else meta)
    return path


def contents(data: Dataset) -> list[Any]:
    return [(e.id, e.source, e.target, thawed(e.context)) for e in data]


def test_fields_become_context(tmp_path: Path) -> None:
    data = read_table(put(tmp_path, META))
    assert [thawed(e.context) for e in data] == [
        {"scene": 1, "seen": ["a", {"b": None}]},
        {"scene": 2, "seen": []},
    ]
    assert [dict(e.tags) for e in data] == [{"who": "x", "line": 1}, {"who": "y", "line": 2}]
    assert data.identity == ("scene",)
    assert data.world is None
    assert [e.id for e in data] == [content_id("how many", "count", identity=f'{{"scene":{n}}}') for n in (1, 2)]


def test_without_a_sidecar_they_are_tags_and_ids_are_of_texts(tmp_path: Path) -> None:
    data = read_table(put(tmp_path, None))
    assert [e.id for e in data] == [content_id("how many", "count"), content_id("how many", "count") + "#2"]
    assert data[0].tags["scene"] == 1
    assert not data[0].context
    only = read_table(put(tmp_path, {"context": ["scene"]}))
    assert [e.id for e in only] == [e.id for e in data]


def test_ids_that_are_given_stand(tmp_path: Path) -> None:
    data = read_table(put(tmp_path, META, [{**record, "id": f"q{n}"} for n, record in enumerate(RECORDS)]))
    assert [e.id for e in data] == ["q0", "q1"]


@pytest.mark.parametrize(
    ("meta", "problem"),
    [
        (b"{", r"data.jsonl.meta.json: broken JSON \(line 1, column 2"),
        ([], "is not a JSON object"),
        ({"contexts": []}, "unknown key 'contexts'; did you mean 'context'"),
        ({"context": "scene"}, "the key 'context' is not a list of fields"),
        ({"context": ["scene", "scene"]}, "context names the field 'scene' twice"),
        ({"identity": ["scene"]}, "the identity names 'scene', which is not among the context"),
        ({"world": "facts"}, "the world is not a JSON object"),
        ({"world": {"kind": "toy", "file": "x"}}, "unknown key 'file'"),
        ({"world": {"kind": 1, "path": "x"}}, "the kind of the world is not text"),
        ({"world": {"kind": "toy"}}, "the world has neither a path nor a sha256"),
        ({"world": {"kind": "toy", "sha256": "0"}}, "says no path of its world; give it with --world PATH"),
        ({"world": {"kind": "toy", "path": "gone.toy.json"}}, "gone.toy.json: there is no such world"),
        ({"world": {"kind": "toi", "path": "data.jsonl"}}, "unknown kind of world 'toi'"),
    ],
)
def test_a_sidecar_that_says_nothing_sensible_is_refused(meta: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(RecombineError, match=problem) as caught:
        recombine.load(put(tmp_path, meta))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("meta", "problem"),
    [
        ({"context": ["scene", "size"]}, r"jsonl, line 1: no field 'size', which is context by the .meta.json"),
        ({"context": ["source"]}, "the field 'source' cannot be context too"),
        ({"context": ["tags"]}, "the field 'tags' cannot be context too"),
    ],
)
def test_a_record_that_does_not_fit_is_named(meta: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=problem):
        read_table(put(tmp_path, meta))


def test_deep_values_and_what_is_not_json_are_refused(tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(150):
        deep = [deep]
    with pytest.raises(RecordError, match="the field 'scene' is more than 100 levels deep"):
        read_table(put(tmp_path, META, [{**RECORDS[0], "scene": deep}]))
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"source": ["a"], "target": ["b"], "scene": [b"\xff"]}), tmp_path / "a.parquet")
    sidecar_path(tmp_path / "a.parquet").write_bytes(orjson.dumps({"context": ["scene"]}))
    with pytest.raises(RecordError, match=r"a.parquet, row 1: the field 'scene' is not a JSON value \(bytes\)"):
        read_table(tmp_path / "a.parquet")


# -- the world ------------------------------------------------------------------------------------------------------


def test_the_world_is_found_beside_the_sidecar(tmp_path: Path) -> None:
    facts = write_toy(tmp_path / "facts.toy.json", sky="blue")
    world = {"kind": "toy", "path": "facts.toy.json", "sha256": world_digest(facts)}
    data = recombine.load(put(tmp_path, {**META, "world": world}))
    assert data.world == WorldReference("toy", str(facts), world_digest(facts))
    assert isinstance(data.opened_world, Toy)
    assert data.opened_world.facts == {"sky": "blue"}


def test_another_world_in_its_place_is_refused_by_digest(tmp_path: Path) -> None:
    facts = write_toy(tmp_path / "facts.toy.json", sky="blue")
    other = write_toy(tmp_path / "other.toy.json", sky="grey")
    (tmp_path / "there").mkdir()
    elsewhere = write_toy(tmp_path / "there" / "facts.toy.json", sky="blue")
    world = {"kind": "toy", "path": "facts.toy.json", "sha256": world_digest(facts)}
    path = put(tmp_path, {**META, "world": world})
    assert recombine.load(path, world=elsewhere).world == WorldReference("toy", str(elsewhere), world["sha256"])
    told = r"other.toy.json: the toy there has the digest \w{16}…, not \w{16}…; give the world that the data was made"
    with pytest.raises(InputFileError, match=told):
        recombine.load(path, world=other)
    write_toy(facts, sky="green")
    with pytest.raises(InputFileError, match=r"facts.toy.json: the toy there has the digest"):
        recombine.load(path)
    with pytest.raises(InputFileError, match="gone: there is no such world"):
        recombine.load(path, world=tmp_path / "gone")


def test_without_a_digest_another_place_may_hold_another_world(tmp_path: Path) -> None:
    write_toy(tmp_path / "facts.toy.json", sky="blue")
    other = write_toy(tmp_path / "other.toy.json", sky="grey")
    path = put(tmp_path, {"world": {"path": "facts.toy.json"}})
    data = recombine.load(path, world=other)
    assert isinstance(data.opened_world, Toy)
    assert data.opened_world.facts == {"sky": "grey"}
    assert recombine.load(put(tmp_path, None, name="bare.jsonl"), world=other).world == data.world


# -- writing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["b.jsonl", "b.tsv", "b.parquet", "b.jsonl.gz"])
def test_contexts_identity_and_world_are_written_and_read_back(name: str, tmp_path: Path) -> None:
    facts = write_toy(tmp_path / "facts.toy.json", sky="blue")
    data = recombine.load(put(tmp_path, {**META, "world": {"path": "facts.toy.json"}}))
    (tmp_path / "out").mkdir()
    write_table(data, tmp_path / "out" / name)
    assert orjson.loads(sidecar_path(tmp_path / "out" / name).read_bytes()) == {
        **META,
        "world": {"kind": "toy", "path": "../facts.toy.json", "sha256": world_digest(facts)},
    }
    back = recombine.load(tmp_path / "out" / name)
    assert contents(back) == contents(data)
    assert [e.tags["who"] for e in back] == ["x", "y"]
    assert back.identity == data.identity
    assert back.opened_world == data.opened_world


def test_examples_that_say_nothing_get_no_sidecar_and_an_old_one_goes(tmp_path: Path) -> None:
    path = put(tmp_path, META)
    write_table([Example.of("a", "b")], path)
    assert not sidecar_path(path).exists()
    assert path.read_bytes() == b'{"id":"%s","source":"a","target":"b"}\n' % content_id("a", "b").encode()
    assert [e.source for e in read_table(path)] == ["a"]


@pytest.mark.parametrize("context", [{}, {"scene": 1}])
@pytest.mark.parametrize("theirs", [b'{"title": "of another program"}', b"not JSON", b"[]", b'{"context": "all"}'])
def test_a_file_of_another_program_in_the_place_of_a_sidecar_is_left_alone(
    theirs: bytes, context: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "new.jsonl"
    sidecar_path(path).write_bytes(theirs)
    with pytest.raises(OutputFileError, match=r"new\.jsonl: the name of its sidecar is taken"):
        write_table([Example("1", "a", "b", context=frozen_context(context))], path)
    assert sidecar_path(path).read_bytes() == theirs
    assert not path.exists()


def test_contexts_that_cannot_be_fields_are_refused(tmp_path: Path) -> None:
    one = Example("1", "a", "b", context=frozen_context({"scene": 1}))
    with pytest.raises(OutputFileError, match="the example 2 has no 'scene' in its context, though others have"):
        write_table([one, Example("2", "a", "b")], tmp_path / "x.jsonl")
    with pytest.raises(OutputFileError, match="the context has a field 'target', as every record has"):
        write_table([Example("2", "a", "b", context=frozen_context({"target": 1}))], tmp_path / "x.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_world_that_lies_nowhere_is_written_by_its_digest(tmp_path: Path) -> None:
    facts = write_toy(tmp_path / "facts.toy.json", sky="blue")
    data = recombine.load([("a", "b")], world=Toy({"sky": "blue"}, world_digest(facts)))
    write_table(data, tmp_path / "x.jsonl")
    with pytest.raises(InputFileError, match="says no path of its world"):
        recombine.load(tmp_path / "x.jsonl")
    assert recombine.load(tmp_path / "x.jsonl", world=facts).opened_world == data.world


def test_a_world_itself_serves_in_place_of_a_path(tmp_path: Path) -> None:
    facts = write_toy(tmp_path / "facts.toy.json", sky="blue")
    path = put(tmp_path, {"world": {"kind": "toy", "path": "gone.toy.json", "sha256": world_digest(facts)}})
    world = Toy({"sky": "blue"}, world_digest(facts))
    assert recombine.load(path, world=world).opened_world is world
    with pytest.raises(InputFileError, match=r"a world for .*data.jsonl.meta.json: the toy there has the digest"):
        recombine.load(path, world=Toy({}, "0" * 64))
