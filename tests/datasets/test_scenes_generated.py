"""Generated questions about scenes as files: their names and keys, whole or not at all, the same bytes every time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.datasets.scenes_files import ScenesFiles
from recombine.datasets.scenes_generated import ScenesGenerator
from recombine.datasets.scenes_questions import read_questions
from recombine.errors import InputFileError, InputWarning, OptionError, OutputFileError, RecordError, SizeError
from recombine.languages.scenes import SCENES
from recombine.records.example import content_id
from recombine.scenes.programs.execute import execute
from recombine.scenes.scene import Scenes
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.templates.read_templates import find_templates
from recombine.studies.cells.load_data import load_data
from recombine.studies.file.read_study_file import read_study_file
from recombine.workbench.generate import GenerateResult

KEYS = ["id", "source", "target", "answer", "images", "roles", "template", "subgraph", "part", "pair"]
NUMBER_OF_SCENES = 150


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, noisy_questions: GenerateResult) -> Path:
    """`q.jsonl` with noise and all that stands beside it."""
    path = tmp_path_factory.mktemp("made") / "q.jsonl"
    noisy_questions.write(path)
    return path


def records(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_files_and_keys(made: Path) -> None:
    assert names(made.parent) == {
        *("q.jsonl", "q.jsonl.meta.json", "q.scenes.json", "q.truth.json", "q.split.json", "q.pictures"),
    }
    rows = records(made)
    assert len(rows) == 60
    assert all(list(row) == KEYS for row in rows)
    assert set(Counter(row["template"] for row in rows).values()) == {4}
    for row in rows:
        identity = json.dumps({"images": row["images"]}, separators=(",", ":"))
        assert row["id"] == content_id(row["source"], row["target"], identity=identity)
        assert len(row["images"]) == len(row["roles"]) <= 5
    said = orjson.loads(made.with_name("q.jsonl.meta.json").read_bytes())
    assert said["identity"] == ["images"]
    assert said["world"]["path"] == "q.scenes.json"


def test_scenes_are_of_gqas_form_with_types_of_attributes(made: Path) -> None:
    scenes = orjson.loads(made.with_name("q.scenes.json").read_bytes())
    assert scenes.pop("attribute_types")["red"] == "color"
    assert len(scenes) == NUMBER_OF_SCENES
    assert all({"objects"} <= scene.keys() for scene in scenes.values())
    truth = orjson.loads(made.with_name("q.truth.json").read_bytes())
    assert truth.keys() == {"attribute_types", *scenes}
    assert names(made.with_name("q.pictures")) == {f"{each}.png" for each in scenes}


def test_the_data_loads_with_its_world_and_its_split(made: Path) -> None:
    data = recombine.load(made, language="scenes")
    assert isinstance(data.opened_world, Scenes)
    for example in data:
        shown = [data.opened_world.by_id[image] for image in example.context["images"]]
        value = execute(SCENES.parse(example.target), shown, data.opened_world.attribute_types).value
        assert value == example.context["answer"]
    split = recombine.load_split(data, str(made.with_name("q.split.json")))
    assert split.sizes() == {"train": 48, "dev": 6, "test": 6}
    assert split.fits(data)
    assert all(data[key].context["part"] == part for part, keys in split.parts.items() for key in keys)
    assert split.measured["pool"].keys() == {row["template"] for row in records(made)}
    assert split.measured["rejected"]


def test_parquet_holds_the_pictures_and_the_same_questions(
    made: Path, tmp_path: Path, noisy_questions: GenerateResult
) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "x.parquet"
    noisy_questions.write(path)
    assert names(tmp_path) == {"x.parquet", "x.parquet.meta.json", "x.scenes.json", "x.truth.json", "x.split.json"}
    table = pq.read_table(path)
    features = orjson.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["pictures"] == [{"_type": "Image"}]
    assert list(features) == table.schema.names
    for row, other in zip(table.to_pylist(), records(made), strict=True):
        assert (row["id"], row["images"], row["roles"]) == (other["id"], other["images"], other["roles"])
        assert [each["path"] for each in row["pictures"]] == [f"{each}.png" for each in row["images"]]
        for each in row["pictures"]:
            assert each["bytes"].startswith(b"\x89PNG\r\n\x1a\n")
            assert each["bytes"] == (made.with_name("q.pictures") / each["path"]).read_bytes()
    read, same = read_questions(path), read_questions(made)
    assert [each.answer for each in read.questions] == [each.answer for each in same.questions]
    assert read.dataset.hash == same.dataset.hash


@pytest.mark.slow
def test_the_same_bytes_for_another_hash_seed_and_two_processes(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    # train has more than 100 scenes, which are two pieces, and the pool needs both
    options = ["-n", "15", "--number-of-scenes", "180", "--pool", "400", "--seed", "2", "--quiet"]
    for folder, more, seed in (("one", [], "1"), ("two", ["--processes", "2"], "7")):
        (tmp_path / folder).mkdir()
        command = [sys.executable, "-m", "recombine", "generate", "scenes", *options, *more, "-o", "q.jsonl"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, cwd=tmp_path / folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    files = sorted(each.relative_to(tmp_path / "one") for each in (tmp_path / "one").rglob("*") if each.is_file())
    assert len(files) == 184
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes(), file


def test_a_failure_leaves_nothing_and_the_old_files_stand(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noisy_questions: GenerateResult
) -> None:
    files = noisy_questions.files
    assert isinstance(files, ScenesFiles)
    assert files.truth is not None
    result = replace(noisy_questions, files=replace(files, scenes=files.truth, truth=None))

    def full(*_: object, **__: object) -> bytes:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("recombine.scenes.synthetic.picture.picture_bytes", full)
        with pytest.raises(OutputFileError, match="No space left on device"):
            result.write(tmp_path / "q.jsonl")
        assert names(tmp_path) == set()
        shutil.copytree(made.parent, tmp_path / "old")
        before = {each: (tmp_path / "old" / each).read_bytes() for each in ("q.jsonl", "q.scenes.json", "q.split.json")}
        with pytest.raises(OutputFileError):
            result.write(tmp_path / "old" / "q.jsonl")
        assert {each: (tmp_path / "old" / each).read_bytes() for each in before} == before
    rename = Path.rename

    def fails_at_the_last(path: Path, target: Path) -> Path:
        if ".writing-" in path.parent.name and target.name == "q.jsonl":
            raise OSError(5, "Input/output error")
        return rename(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fails_at_the_last)
        with pytest.raises(OutputFileError, match="Input/output error"):
            result.write(tmp_path / "old" / "q.jsonl")
    assert {each: (tmp_path / "old" / each).read_bytes() for each in before} == before
    assert names(tmp_path / "old") == names(made.parent)
    result.write(tmp_path / "old" / "q.jsonl")  # without noise: the old truth is gone
    assert "q.truth.json" not in names(tmp_path / "old")
    assert len(names(tmp_path / "old" / "q.pictures")) == NUMBER_OF_SCENES


def test_a_place_that_is_taken_is_said_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "q.pictures").write_text("mine")
    with pytest.raises(OutputFileError, match="no folder of pictures"):
        ScenesGenerator.check_out(tmp_path / "q.jsonl", "ours")
    with pytest.raises(OptionError, match="no other form"):
        ScenesGenerator.check_out(tmp_path / "x.jsonl", "cfq")


def write_hierarchies(folder: Path) -> Path:
    """What the ontology says, in the form of GQA's two files."""
    ontology, classes = find_ontology(), dict[str, list[str]]()
    for noun in ontology.nouns.values():
        classes.setdefault(noun.parent or noun.same or "object", []).append(noun.name)
    folder.mkdir()
    (folder / "gqa_class_hierarchy.json").write_bytes(orjson.dumps(classes))
    (folder / "gqa_attribute_hierarchy.json").write_bytes(orjson.dumps(ontology.values))
    return folder


@pytest.mark.slow
def test_scenes_pictures_and_hierarchies_of_ones_own(made: Path, tmp_path: Path) -> None:
    scenes, pictures = str(made.with_name("q.truth.json")), tmp_path / "photos"
    shutil.copytree(made.with_name("q.pictures"), pictures)
    folder = write_hierarchies(tmp_path / "gqa")
    options: dict[str, Any] = {"scenes": scenes, "pictures": str(pictures), "pool": 15, "exclusion": str(folder)}
    result = recombine.generate("scenes", n=15, random_distractors=True, **options)
    result.write(tmp_path / "own.jsonl")
    rows = records(tmp_path / "own.jsonl")
    assert "random" in {role for row in rows for role in row["roles"]}
    assert names(tmp_path / "own.pictures") == {f"{image}.png" for row in rows for image in row["images"]}
    assert "own.truth.json" not in names(tmp_path)
    assert "hierarchies@" in orjson.loads((tmp_path / "own.split.json").read_bytes())["signature"]
    (pictures / "s000004.png").unlink()
    with pytest.raises(InputFileError, match=r"scene s000004 has no picture s000004\.png"):
        recombine.generate("scenes", n=15, **options)


def test_a_study_generates_them_from_files_beside_it(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paths are those of the study file, not of where it is run."""
    shutil.copy(made.with_name("q.truth.json"), tmp_path / "mine.json")
    (tmp_path / "study.toml").write_text(
        'name = "s"\nseeds = [0]\n[[data]]\ngenerate = "scenes"\nn = 15\nseed = 3\npool = 15\nscenes = "mine.json"\n'
        'exclusion = "ontology"\n[[split]]\nby = "random"\n[[model]]\npreset = "cfq:lstm"\n'
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    study = read_study_file(tmp_path / "study.toml")
    with pytest.warns(InputWarning, match="the scenes have no pictures"):
        data = load_data(study.data[0], tmp_path)
    assert len(data) == 15
    assert data.language is SCENES
    assert {example.context["template"] for example in data} == {each.name for each in find_templates()}
    assert isinstance(data.opened_world, Scenes)


def few_scenes(folder: Path, **changed: Any) -> str:
    """A man who pulls a cart with a rope, in a picture of 60 × 60."""
    man = {"name": "man", "x": 1, "y": 1, "w": 20, "h": 20, **changed}
    pulls = {"name": "pulling", "object": "2", "mods": [{"name": "with", "object": "3"}]}
    objects = {"1": {**man, "relations": [pulls]}, "2": {"name": "cart"}, "3": {"name": man.get("tool", "rope")}}
    path = folder / "few.json"
    path.write_bytes(orjson.dumps({"park": {"width": 60, "height": 60, "objects": objects}}))
    return str(path)


@pytest.mark.parametrize(
    ("changed", "options", "noted"),
    [
        ({"x": 50}, {"cut_boxes": True}, "1 box was partly outside its picture and is cut to it"),
        ({"tool": "cart"}, {}, "a relation has one name for several of its objects, such as 'cart' in scene park"),
        ({"tool": "wagon"}, {}, "any two names that differ exclude each other, but for attributes of two types"),
    ],
)
def test_what_is_noted_of_scenes(changed: dict[str, Any], options: dict[str, Any], noted: str, tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match=noted), pytest.raises(SizeError, match="ran dry"):
        recombine.generate("scenes", n=15, scenes=few_scenes(tmp_path, **changed), templates="COUNT", **options)


def test_nothing_is_noted_where_it_was_asked_for(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    for changed, options in (({"tool": "cart"}, {"repeated_names": True}), ({"tool": "wagon"}, {"exclusion": "none"})):
        with pytest.raises(SizeError, match="ran dry"):
            recombine.generate("scenes", n=15, scenes=few_scenes(tmp_path, **changed), templates="COUNT", **options)
    assert not [each for each in recwarn if issubclass(each.category, InputWarning)]


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"n": None}, OptionError, "-n"),
        ({"n": 15, "scenes": "x.json", "noise": 0.1}, OptionError, "--noise"),
        ({"n": 15, "scenes": "x.json", "number_of_scenes": 5}, OptionError, "--number-of-scenes"),
        ({"n": 15, "scenes": "x.json", "filter": "truth"}, OptionError, "no truth graph"),
        ({"n": 15, "scenes": "x.json"}, InputFileError, "x.json"),
        ({"n": 15, "cut_boxes": True}, OptionError, "--cut-boxes is of scenes of one's own"),
        ({"n": 15, "attribute_types": "t.json"}, OptionError, "--attribute-types is of scenes of one's own"),
        ({"n": 15, "exclusion": "nowhere", "number_of_scenes": 5}, InputFileError, "nowhere: names no exclusion"),
        ({"n": 15, "processes": 0}, OptionError, "processes"),
        ({"n": 15, "pictures": "nowhere", "number_of_scenes": 5}, InputFileError, "nowhere"),
        ({"n": 15, "cluster": "local"}, OptionError, "on one machine"),
    ],
)
def test_what_cannot_be_made_is_said(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        recombine.generate("scenes", **options)


def test_too_few_scenes_leave_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["generate", "scenes", "-n", "900", "--number-of-scenes", "10", "-o", str(tmp_path / "q.jsonl")])
    assert ended.value.code == 2
    assert "ran dry" in capsys.readouterr().err
    assert names(tmp_path) == set()


def test_records_that_are_no_questions_are_refused(made: Path, tmp_path: Path) -> None:
    for name in ("q.jsonl.meta.json", "q.scenes.json"):
        shutil.copy(made.with_name(name), tmp_path)
    row = records(made)[0]
    (tmp_path / "q.jsonl").write_bytes(orjson.dumps({**row, "images": ["nowhere", *row["images"][1:]]}) + b"\n")
    with pytest.raises(RecordError, match="'nowhere' is not among the scenes"):
        read_questions(tmp_path / "q.jsonl")
    (tmp_path / "q.jsonl").write_bytes(orjson.dumps({**row, "roles": []}) + b"\n")
    with pytest.raises(RecordError, match="not lists of one length"):
        read_questions(tmp_path / "q.jsonl")
