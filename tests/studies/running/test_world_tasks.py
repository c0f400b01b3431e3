"""A task carries the world by path and digest, and the contexts of its examples; both are in the keys of cells."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from toy_world import write_toy

from recombine.datasets import catalogue
from recombine.errors import InputFileError
from recombine.models.known import MODELS
from recombine.models.task import Task
from recombine.records.world import WorldReference, world_digest
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.split_keys import data_content
from recombine.studies.running import run_study as module
from recombine.studies.running.run_study import Options
from small_study import TINY

pytestmark = pytest.mark.usefixtures("toy_kind")
STUDY = f"""
name = "scenes"

[[data]]
file = "data.jsonl"
world = "facts.toy.json"

[[split]]
by = "random"
test = 2

[[model]]
{TINY}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A study of questions over scenes, with its world."""
    write_toy(tmp_path / "facts.toy.json", sky="blue")
    put(tmp_path, [{"source": "is it", "target": "yes", "scene": n, "note": "x"} for n in range(6)])
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def put(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "data.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    meta = {"context": ["scene", "note"], "identity": ["scene"]}
    (folder / "data.jsonl.meta.json").write_bytes(orjson.dumps(meta))


def plan_of(folder: Path) -> Plan:
    return make_plan(folder / "study.toml", folder / "results")


def test_a_task_carries_contexts_and_the_world(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    plan = make_plan("study.toml", Path("results"))
    task: Task = module._task(plan, "t", plan.cells, Path("work"), Options())
    sent: Task = pickle.loads(pickle.dumps(task))  # noqa: S301  # made here
    facts = folder / "facts.toy.json"
    assert sent.world == WorldReference("toy", str(facts), world_digest(facts))
    assert sent.world.open().digest == world_digest(facts)
    data = plan.datasets["data"]
    assert [(e.id, e.source, e.target) for e in sent.examples] == [(e.id, e.source, e.target) for e in data]
    assert not any(e.tags or e.context for e in sent.examples), "texts are all that this family wants"
    assert sent.pairs() == [("is it", "yes")] * 6
    seq2seq = MODELS["seq2seq"]
    monkeypatch.setitem(MODELS._things, "seq2seq", replace(seq2seq, texts_alone=False))
    task = module._task(plan, "t", plan.cells, Path("work"), Options())
    sent = pickle.loads(pickle.dumps(task))  # noqa: S301
    assert list(sent.examples) == list(data)
    assert [e.context for e in sent.examples] == [e.context for e in data]
    assert data[0].context["scene"] == 0
    assert sent.world is not None
    write_toy(facts, sky="grey")
    with pytest.raises(InputFileError, match="the toy there has the digest"):
        sent.world.open()


def test_the_world_and_contexts_are_in_the_keys(folder: Path) -> None:
    keys = [{cell.key for cell in plan_of(folder).cells}]
    write_toy(folder / "facts.toy.json", sky="grey")
    keys.append({cell.key for cell in plan_of(folder).cells})
    # The note is no identity: the ids, and so the hash of the data, stay.
    put(folder, [{"source": "is it", "target": "yes", "scene": n, "note": "y"} for n in range(6)])
    hashes = [plan_of(folder).datasets["data"].hash]
    keys.append({cell.key for cell in plan_of(folder).cells})
    assert len(set().union(*keys)) == 3
    assert hashes[0] == plan_of(folder).datasets["data"].hash
    assert keys[2] == {cell.key for cell in plan_of(folder).cells}


def test_a_missing_world_is_refused(folder: Path) -> None:
    (folder / "facts.toy.json").unlink()
    with pytest.raises(InputFileError, match=r"facts.toy.json: there is no such world; name the file or folder"):
        plan_of(folder)


@pytest.mark.shared_data
def test_nothing_is_added_for_data_of_the_catalogue(data_dir: Path) -> None:
    names = {"name", "hash", "language", "measured"}
    assert set(data_content(catalogue.load("geoquery/funql"), measure=True)) == names
    assert set(data_content(catalogue.load("scan"), measure=True)) == names


def test_a_world_that_the_catalogue_does_not_have_is(folder: Path) -> None:
    data = catalogue.load("scan", world=folder / "facts.toy.json")
    digest = world_digest(folder / "facts.toy.json")
    assert data_content(data, measure=True)["world"] == {"kind": "toy", "sha256": digest}
