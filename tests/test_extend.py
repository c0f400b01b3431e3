"""Adding things: one module outside of the package registers one of each kind, and each is used by its name.

The module is the one that `docs/extend.md` tells. Its model needs a world, which is what a toy world goes through here:
train, predict, score and a study, in this process, in two others and on a cluster.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine import extend
from recombine.cli.main import run
from recombine.plugins import LOADED, Registry, forget_plugin

PAGE = (Path(__file__).parent.parent / "docs" / "extend.md").read_text()
COLOURS = {"ruby": "red", "sky": "blue", "grass": "green", "coal": "black"}
STUDY = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
Call = Callable[..., dict[str, Any]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder, made the current one, with the plug-in, its world and data; all that it registers is forgotten."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("towers.py").write_text("\n\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)))
    Path("my.stones.json").write_text(json.dumps(COLOURS))
    Path("towers.toml").write_text(STUDY)
    yield folder
    for place in [place for place in LOADED if place.startswith(str(tmp_path))]:
        forget_plugin(place)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command; what it prints as JSON, or its line of error."""

    def called(*words: str, code: int = 0, plugin: bool = True) -> dict[str, Any]:
        with pytest.raises(SystemExit) as ended:
            run([*words, *(["--plugin", "towers.py"] if plugin else []), "--json", "--quiet"])
        printed = capsys.readouterr()
        assert ended.value.code == code, printed.err
        if code == 2:
            assert printed.err.count("\n") == 1
            return {"error": printed.err}
        value: dict[str, Any] = orjson.loads(printed.out)
        return value

    return called


def made(call: Call) -> None:
    """Data with its world, and a split."""
    call("generate", "towers", "--stones", "my.stones.json", "-n", "50", "-o", "towers.jsonl")
    call("split", "towers.jsonl", "--language", "towers", "--by", "height", "--height", "3", "-o", "high.json")


# -- one of each kind -----------------------------------------------------------------------------------------------


def test_every_kind_is_registered_by_the_page() -> None:
    registrations = {name for name in extend.__all__ if name.startswith("register_")} - {"register_notation"}
    assert {name for name in registrations if f"extend.{name}" in PAGE.split("## A world")[1]} == registrations


def test_everything_can_be_imported_and_is_documented() -> None:
    for name in extend.__all__:
        assert inspect.getdoc(getattr(extend, name)) or isinstance(getattr(extend, name), str), name
    with pytest.raises(AttributeError, match="no attribute 'regster'"):
        extend.regster  # noqa: B018


def test_every_kind_is_listed(here: Path, call: Call) -> None:
    listed = call("list")
    assert [row["data"] for row in listed["datasets"]][-1] == "towers"
    assert listed["methods"][-1] == "height"
    for kind, name in (
        ("languages", "towers"),
        ("generators", "towers"),
        ("structures", "neighbours"),
        ("measures", "highest"),
        ("metrics", "same_height"),
        ("error_types", "towers"),
        ("models", "lookup"),
        ("worlds", "stones"),
    ):
        assert name in listed[kind], kind
    assert list(listed["plugins"]) == ["towers.py"]


def test_without_the_plugin_there_is_nothing_of_it(here: Path, call: Call) -> None:
    assert "unknown generator 'towers'" in call("generate", "towers", code=2, plugin=False)["error"]
    assert "unknown data set 'towers'" in call("show", "towers", code=2, plugin=False)["error"]
    assert "unknown method 'height'" in call("split", "scan", "--by", "height", code=2, plugin=False)["error"]


def test_every_kind_is_used_by_its_name(here: Path, call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("show", "towers", "-n", "1")["size"] == 4 + 16 + 64
    assert call("generate", "towers", "--stones", "my.stones.json", "-n", "50", "-o", "towers.jsonl")["examples"] == 50
    named = ("towers.jsonl", "--language", "towers")
    split = call("split", *named, "--by", "height", "--height", "3", "--structures", "neighbours", "-o", "high.json")
    assert "height:3" in split["signature"]
    assert "compounds=neighbours,counts" in split["signature"]
    assert split["measures"] == {"highest": [3, 2]}
    measured = call("measure", "towers.jsonl", "high.json", "--structures", "neighbours,presence")
    assert measured["compound_divergence"] > 0.1
    call("train", "towers.jsonl", "high.json", "--model", "lookup", "-o", "looked")
    call("predict", "looked", "towers.jsonl", "high.json", "-o", "outputs.jsonl")
    scored = call("score", "towers.jsonl", "high.json", "outputs.jsonl", "--errors")
    assert (scored["exact_match"], scored["same_height"]) == (1.0, 1.0)
    assert scored["errors"]["tower_errors"] == {"too_low": 0, "too_high": 0}
    ran = call("study", "run", "towers.toml", plugin=False)
    assert (ran["done"], ran["failed"]) == (2, 0)
    assert ran["table"][0]["models"]["lookup"]["mean"] == 100.0
    forget_plugin(str(here / "towers.py"))
    for words, said in ((["split", "--help"], False), (["split", "--help", "--plugin=towers.py"], True)):
        with pytest.raises(SystemExit):
            run(words)
        assert ("--height" in capsys.readouterr().out) is said


def test_settings_of_the_model_are_read(here: Path, call: Call) -> None:
    made(call)
    trained = call("train", "towers.jsonl", "high.json", "--model", "lookup", "--set", "plain=true", "-o", "plain")
    assert "settings:plain=True" in trained["signature"]
    call("predict", "plain", "towers.jsonl", "high.json", "-o", "outputs.jsonl")
    scored = call("score", "towers.jsonl", "high.json", "outputs.jsonl")
    assert (scored["exact_match"], scored["same_height"]) == (0.0, 1.0)
    error = call("train", "towers.jsonl", "--model", "lookup", "--set", "plian=1", "-o", "other", code=2)["error"]
    assert "unknown setting 'plian'; did you mean 'plain'?" in error


def test_the_same_from_python(here: Path) -> None:
    recombine.load_plugin("towers.py")
    data = recombine.generate("towers", n=30, stones="my.stones.json").dataset
    split = recombine.split(data, by="height", height=3)
    trained = recombine.train(data, split, model="lookup")
    trained.write("looked")
    predicted = recombine.predict("looked", data, split)
    assert recombine.score(data, split, predicted.outputs)["same_height"] == 1.0


# -- its world ------------------------------------------------------------------------------------------------------


def refuse_world(call: Call, *words: str) -> str:
    """The line of a refusal because of a world."""
    return str(call(*words, code=2)["error"])


def test_a_missing_world_is_refused(here: Path, call: Call) -> None:
    made(call)
    Path("my.stones.json").rename("moved.stones.json")
    for words in (("train", "towers.jsonl", "high.json", "--model", "lookup", "-o", "a"), ("show", "towers.jsonl")):
        assert "my.stones.json: there is no such world; name the file or folder with --world PATH" in refuse_world(
            call, *words
        )
    call("show", "towers.jsonl", "--world", "moved.stones.json")


def test_data_without_a_world_does_not_serve(here: Path, call: Call) -> None:
    call("generate", "towers", "-n", "50", "-o", "bare.jsonl")
    error = refuse_world(call, "train", "bare.jsonl", "--model", "lookup", "-o", "looked")
    assert "the model lookup needs a world; name it with --world FILE.stones.json" in error
    call("train", "bare.jsonl", "--model", "lookup", "--world", "my.stones.json", "-o", "looked")


def test_another_or_a_changed_world_is_refused_by_its_digest(here: Path, call: Call) -> None:
    made(call)
    call("train", "towers.jsonl", "high.json", "--model", "lookup", "-o", "looked")
    Path("other.stones.json").write_text(json.dumps({**COLOURS, "ruby": "pink"}))
    for words in (
        ("predict", "looked", "towers.jsonl", "high.json"),
        ("measure", "towers.jsonl", "high.json"),
        ("train", "towers.jsonl", "high.json", "--model", "lookup", "-o", "b"),
    ):
        error = refuse_world(call, *words, "--world", "other.stones.json")
        assert re.search(
            r"other.stones.json.*(digest \w{16}…, not \w{16}…|stones@\w{16}, not about stones@\w{16})", error
        )
    Path("my.stones.json").write_text(json.dumps({**COLOURS, "ruby": "pink"}))
    error = refuse_world(call, "predict", "looked", "towers.jsonl", "high.json")
    assert re.search(r"my.stones.json: the stones there has the digest \w{16}…, not \w{16}…", error)
    error = refuse_world(call, "study", "run", "towers.toml")
    assert re.search(r"the stones there has the digest \w{16}…, not \w{16}…", error)


def test_a_parser_of_another_world_is_refused(here: Path, call: Call) -> None:
    made(call)
    call("train", "towers.jsonl", "high.json", "--model", "lookup", "-o", "looked")
    Path("other.stones.json").write_text(json.dumps({**COLOURS, "ruby": "pink"}))
    call("generate", "towers", "--stones", "other.stones.json", "-n", "50", "-o", "others.jsonl")
    call("split", "others.jsonl", "--language", "towers", "--by", "height", "-o", "others.json")
    error = refuse_world(call, "predict", "looked", "others.jsonl", "others.json")
    assert re.search(r"stones@\w{16}.*stones@\w{16}", error)


def content(results: Path) -> dict[str, bytes]:
    """All results of a study but how long they took."""
    return {
        str(path.relative_to(results)): path.read_bytes()
        for path in sorted(results.rglob("*"))
        if path.is_file() and not {"timings", "work"} & set(path.relative_to(results).parts)
    }


def test_a_study_over_a_world_on_two_processes_and_a_cluster(here: Path, call: Call) -> None:
    made(call)
    runs = {"one": [], "two": ["--processes", "2"]}
    distributed = pytest.importorskip("distributed", reason="needs dask[distributed]")
    for name, words in runs.items():
        ran = call("study", "run", "towers.toml", "--results", name, *words, plugin=False)
        assert (ran["done"], ran["failed"]) == (2, 0)
    os.environ.setdefault("DASK_DISTRIBUTED__ADMIN__LOG_FORMAT", "")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        ran = call("study", "run", "towers.toml", "--results", "many", "--cluster", address, plugin=False)
    assert (ran["done"], ran["failed"]) == (2, 0)
    assert len(content(here / "one")) >= 6
    assert content(here / "one") == content(here / "two") == content(here / "many")
    record = next(orjson.loads(path.read_bytes()) for path in (here / "one").glob("*.json") if len(path.stem) == 32)
    assert record["plugins"]["towers.py"].startswith("digest ")


# -- a study names what it uses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda text: text, "language 'towers'"),
        (lambda text: text.replace('language = "towers"\n', ""), "kind of world 'stones'"),
    ],
)
def test_a_plugin_that_a_study_uses_must_be_named(
    here: Path, call: Call, change: Callable[[str], str], kind: str
) -> None:
    made(call)
    Path("towers.toml").write_text(change(STUDY.replace('plugins = ["towers.py"]\n', "")))
    error = refuse_world(call, "study", "run", "towers.toml")
    assert f"the {kind} is of the plug-in towers.py, which the study does not name; add plugins = " in error


def test_a_measure_of_a_plugin_counts_for_a_study_too(here: Path, call: Call) -> None:
    Path("plain.toml").write_text(
        'name = "plain"\n[[data]]\nid = "scan"\n[[split]]\nby = "random"\ntest = 100\n[[model]]\npreset = "nqg"\n'
    )
    error = refuse_world(call, "study", "status", "plain.toml")
    assert "the measure 'highest' is of the plug-in towers.py, which the study does not name" in error


def test_registries_are_named_by_what_they_hold() -> None:
    """Errors say `there is a KIND NAME already`."""
    from recombine import plugins

    kinds = [registry.kind for registry in plugins._REGISTRIES if isinstance(registry, Registry)]
    assert {"language", "method", "data set", "generator", "measure", "metric", "kind of world"} <= set(kinds)
