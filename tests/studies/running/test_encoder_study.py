"""Studies with a pretrained encoder: what is in keys, cells that are killed, and cells carried to another machine."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.studies.cells.results import read_outputs
from small_study import plan_of, run
from tiny_bert import make_tiny_bert

pytest.importorskip("torch", reason="needs torch")

from recombine.models.carried_cells import run_folder
from recombine.models.nqg import run as nqg_elsewhere
from recombine.models.nqg import run_task as nqg_run_task
from recombine.models.nqg.nqg_family import FAMILY as NQG
from recombine.models.nqg.nqg_family import settings_of
from recombine.models.pretrained import run as pretrained_elsewhere
from recombine.models.pretrained.pretrained_family import settings_of as pretrained_settings
from recombine.models.task import Task
from recombine.studies.running.export_study import collect_study, export_study

WORDS = {"jump": "J", "walk": "W", "look": "L", "run": "R"}
PAIRS = [
    *WORDS.items(),
    *((f"{word} twice", f"{sign} {sign}") for word, sign in WORDS.items()),
    *((f"{one} and {two}", f"{WORDS[one]} {WORDS[two]}") for one in WORDS for two in WORDS),
]
STUDY = """
name = "talk"
seeds = [0, 1]

[[data]]
file = "talk.tsv"
measure = false

[[split]]
file = "split.json"
{models}
"""
NQG_MODEL = """
[[model]]
name = "spans"
preset = "nqg"
restarts = 1
members = 1
strict = true
scorer = "neural"
neural_preset = "nqg:paper"
neural_steps = 5
neural_batch = 8
neural_hidden = 8
neural_rate = 0.05
"""
ENCODER = 'neural_encoder = "bert"\n'
COPYING = """
[[model]]
name = "copying"
preset = "pretrained"
kind = "copying"
checkpoint = "bert"
steps = 4
batch = 8
hidden = 8
embedding = 8
max_target = 6
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with data, a split and an encoder."""
    (tmp_path / "talk.tsv").write_text("source\ttarget\n" + "".join(f"{s}\t{t}\n" for s, t in PAIRS))
    rows = {"train": list(range(18)), "test": list(range(18, 24))}
    (tmp_path / "split.json").write_text(json.dumps(rows))
    make_tiny_bert(tmp_path / "bert", [*WORDS, "and", "twice"])
    return tmp_path


def study(place: Path, models: str, name: str = "study.toml") -> Path:
    (place / name).write_text(STUDY.format(models=models))
    return place / name


def keys(path: Path) -> list[str]:
    return [cell.key for cell in plan_of(path, path.parent / "none").cells]


@pytest.mark.parametrize(("model", "digest"), [(NQG_MODEL + ENCODER, "neural_encoder_digest"), (COPYING, "digest")])
def test_keys_hold_the_files_of_an_encoder_and_not_their_place(place: Path, model: str, digest: str) -> None:
    here = keys(study(place, model))
    shutil.copytree(place / "bert", place / "else" / "where")
    assert keys(study(place, model.replace('"bert"', '"else/where"'))) == here
    said = plan_of(study(place, model), place / "none").cells[0].model.settings[digest]
    (place / "else" / "where" / "config.json").write_text((place / "bert" / "config.json").read_text() + "\n")
    assert not set(keys(study(place, model.replace('"bert"', '"else/where"')))) & set(here)
    # With the digest, keys are known where the files are not; training says what is missing.
    away = study(place, model.replace('"bert"', '"nowhere"') + f'{digest} = "{said}"\n')
    assert keys(away) == here
    with pytest.raises(InputFileError, match="nowhere: no such directory"):
        run(away, place / "results")
    other = study(place, model + f'{digest} = "{said[::-1]}"\n')
    with pytest.raises(InputFileError, match=f"its files are not those of the digest {said[::-1]}"):
        run(other, place / "results")


def test_an_encoder_is_looked_for_in_the_data_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = keys(study(place, NQG_MODEL + ENCODER))
    (place / "data" / "encoders").mkdir(parents=True)
    (place / "bert").rename(place / "data" / "encoders" / "bert")
    monkeypatch.setenv("RECOMBINE_DATA", str(place / "data"))
    assert keys(study(place, NQG_MODEL + 'neural_encoder = "encoders/bert"\n')) == here


def test_cells_without_an_encoder_have_no_word_of_one(place: Path) -> None:
    settings = settings_of("nqg", {"scorer": "neural"})
    assert settings["neural_encoder_digest"] == ""
    assert "neural_encoder_digest" not in NQG.decided_by(settings)
    assert NQG.decided_by(settings_of("nqg", {}))["scorer"] == "loglinear"
    with pytest.raises(OptionError, match="neural_encoder_digest is given, and no neural_encoder"):
        settings_of("nqg", {"scorer": "neural", "neural_encoder_digest": "ab"})
    with pytest.raises(OptionError, match="neural_encoder_digest is for the neural scorer"):
        settings_of("nqg", {"neural_encoder_digest": "ab"})
    with pytest.raises(RecombineError, match="nowhere: no such directory"):
        settings_of("nqg", {"scorer": "neural", "neural_encoder": str(place / "nowhere")})


def test_a_killed_cell_of_nqg_ends_the_same(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = study(place, NQG_MODEL + ENCODER)
    whole = run(path, place / "whole", only=("/0",)).records[0]
    assert whole["state"] == "done"
    assert set(whole["notes"]) == {"rules", "steps", "device", "torch", "transformers"}
    steps: list[int] = []

    class Killed(BaseException):
        """The process ends here."""

    def die(task: Task, path: Path, step: int) -> None:
        del task, path
        steps.append(step)
        if steps == [1, 2, 3]:
            raise Killed

    monkeypatch.setattr(nqg_run_task, "_stepped", die)
    with pytest.raises(Killed):
        run(path, place / "killed", only=("/0",), checkpoint_seconds=0.0)
    again = run(path, place / "killed", only=("/0",), checkpoint_seconds=0.0).records[0]
    assert steps == [1, 2, 3, 4, 5]
    assert again["score"] == whole["score"]
    assert read_outputs(place / "killed", again) == read_outputs(place / "whole", whole)
    assert not list((place / "killed" / "work").glob("*.safetensors"))


@pytest.mark.parametrize("module", [nqg_elsewhere, pretrained_elsewhere], ids=["nqg", "pretrained"])
def test_what_comes_back_is_what_is_trained_here(place: Path, module: Any) -> None:
    # The tiny encoder is in half precision already, so that nothing is lost on the way.
    models = NQG_MODEL + ENCODER if module is nqg_elsewhere else COPYING
    path = study(place, models)
    plan = plan_of(path, place / "there")
    folder = place / "folder"
    assert export_study(plan, folder).folders == {str(folder): 2}
    assert str(place) not in (folder / "study.json").read_text()
    where = [str(folder), "--out", str(folder / "out"), "--work", str(folder / "work"), "--device", "cpu"]
    name = f"recombine.models.{'nqg' if module is nqg_elsewhere else 'pretrained'}.run"
    assert run_folder(name, module.train, [*where, "--cells", "/1"]) == 0
    assert len(collect_study(plan, folder, folder / "out").records) == 1
    assert run_folder(name, module.train, where) == 0
    made = collect_study(plan, folder, folder / "out")
    assert (len(made.records), made.done_before, made.unknown) == (1, 1, ())
    here = run(path, place / "here").records
    theirs = {record["name"]: record for record in plan_records(plan)}
    for record in here:
        other = theirs[record["name"]]
        assert (other["key"], other["score"]) == (record["key"], record["score"])
        assert read_outputs(place / "there", other) == read_outputs(place / "here", record)
        assert other["notes"] == {**record["notes"], "encoder_weights": "half precision"}
    changed = study(place, models.replace("steps = ", "steps = 1"))
    assert len(collect_study(plan_of(changed, place / "changed"), folder, folder / "out").unknown) == 2


def plan_records(plan: Any) -> list[dict[str, Any]]:
    from recombine.studies.cells.results import read_result

    records = [read_result(plan.results, cell.key) for cell in plan.cells]
    return [record for record in records if record is not None]


def test_features_travel_too(place: Path) -> None:
    model = (NQG_MODEL + ENCODER).replace('"nqg:paper"', '"default"')
    path = study(place, model)
    plan = plan_of(path, place / "there")
    export_study(plan, place / "folder", only=["/0"])
    where = [str(place / "folder"), "--out", str(place / "out"), "--work", str(place / "work"), "--device", "cpu"]
    assert run_folder("recombine.models.nqg.run", nqg_elsewhere.train, where) == 0
    (record,) = collect_study(plan, place / "folder", place / "out").records
    (here,) = run(path, place / "here", only=("/0",)).records
    assert read_outputs(place / "there", record) == read_outputs(place / "here", here)


def test_only_neural_scorers_travel(place: Path) -> None:
    with pytest.raises(OptionError, match="2 of a family that is not trained elsewhere"):
        export_study(plan_of(study(place, '[[model]]\npreset = "nqg"\n'), place / "r"), place / "folder")


def test_a_folder_is_trained_where_there_is_torch_alone(place: Path) -> None:
    export_study(plan_of(study(place, NQG_MODEL + ENCODER), place / "r"), place / "folder", only=["/0"])
    blocked = (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('numba', 'orjson'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
        "from recombine.models.nqg.run import train\n"
        "from recombine.models.carried_cells import run_folder\n"
        "import recombine.models.pretrained.run, recombine.models.pretrained.kinds.copying\n"
        "sys.exit(run_folder('recombine.models.nqg.run', train, sys.argv[1:]))\n"
    )
    where = [str(place / "folder"), "--out", str(place / "out"), "--work", str(place / "work"), "--device", "cpu"]
    done = subprocess.run([sys.executable, "-c", blocked, *where], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "spans/split/0: done" in done.stdout


def test_the_runner_says_what_is_wrong(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = place / "folder"
    export_study(plan_of(study(place, NQG_MODEL + ENCODER), place / "r"), folder)
    where = [str(folder), "--out", str(place / "out"), "--work", str(place / "work"), "--device", "cpu"]
    run_nqg = ("recombine.models.nqg.run", nqg_elsewhere.train)
    with pytest.raises(OptionError, match="no cell has nothing in its name"):
        run_folder(*run_nqg, [*where, "--cells", "nothing"])
    assert run_folder(*run_nqg, [*where, "--minutes", "-1"]) == 3
    assert "0 of 2 cells have a result" in capsys.readouterr().out
    (folder / "encoders").rename(place / "elsewhere")
    assert run_folder(*run_nqg, where) == 1
    assert "the encoder is not there; say where with --encoder PATH" in capsys.readouterr().out
    shutil.rmtree(place / "work")
    (encoder,) = (place / "elsewhere").iterdir()
    assert run_folder(*run_nqg, [*where, "--encoder", str(encoder)]) == 0
    plan = plan_of(place / "study.toml", place / "results")
    whole = (place / "out" / "arrays.npz").read_bytes()
    for broken in (b"", whole[:200]):
        (place / "out" / "arrays.npz").write_bytes(broken)
        with pytest.raises(InputFileError, match=r"arrays\.npz: cannot be read"):
            collect_study(plan, folder, place / "out")
    assert not list((place / "results").glob("[0-9a-f]*.json"))
    (folder / "study.json").write_text('{"form": "recombine-nqg-cells/1", "cells": [{}]}')
    with pytest.raises(InputFileError, match="not an exported folder"):
        run_folder(*run_nqg, where)


def test_random_weights_take_the_form_of_a_checkpoint_alone(place: Path) -> None:
    from recombine.models.pretrained.parser import Pretrained
    from recombine.models.pretrained.presets import find_preset

    settings = find_preset("pretrained", kind="copying", steps=1, hidden=8, embedding=8, rate=1e-9)
    pairs = [(source, target) for source, target in PAIRS[:4]]

    def embedding(**changes: Any) -> Any:
        parser = Pretrained(place / "bert", replace(settings, **changes.pop("settings", {})), device="cpu", **changes)
        parser.begin(pairs)
        return parser.kind.module.encoder.embeddings.word_embeddings.weight  # type: ignore[union-attr]

    known, fresh = embedding(), embedding(settings={"random_weights": True})
    assert known.shape == fresh.shape
    assert not known.equal(fresh)
    assert fresh.equal(embedding(settings={"random_weights": True}))
    assert not fresh.equal(embedding(settings={"random_weights": True}, seed=1))
    parser = Pretrained(place / "bert", replace(settings, random_weights=True), device="cpu").fit(pairs)
    parser.save(place / "saved")
    again = Pretrained.load(place / "saved", device="cpu")
    assert parser.kind is not None
    assert again.kind is not None
    kept = dict(again.kind.module.named_parameters())
    assert all(part.equal(kept[name]) for name, part in parser.kind.module.named_parameters())
    assert pretrained_settings("pretrained", {"checkpoint": str(place / "bert")})["random_weights"] is False
