"""`recombine.study` beside the commands of `recombine study`."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer

import recombine
from recombine.cli.main import run
from recombine.cli.verbs.studies.study import app
from recombine.errors import InputWarning
from recombine.evaluation.errors.known import ErrorAnalysis, register_errors
from recombine.evaluation.match.matchers import Matcher, register_matcher
from recombine.models.task import CellOutcome
from recombine.studies.cells.results import store_outcome
from recombine.studies.running.watcher import current_watcher, watched_by
from small_study import PAIRS, STUDY, TINY, content

WILD = STUDY + f'[[model]]\nname = "wild"\n{TINY}\nrate = 1e30\n'
VERBS = ("run", "status", "migrate", "report", "export", "collect")
NAMES = {"only": "cells", "outputs": "from_"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A study of two small models, one of which fails, with the letters that it is about."""
    rows = ["source\ttarget", *(f"{source}\t{target}" for source, target in PAIRS)]
    (tmp_path / "letters.tsv").write_text("\n".join(rows) + "\n")
    (tmp_path / "study.toml").write_text(WILD)
    return tmp_path / "study.toml"


def command(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        run(["study", *arguments, "--json", "--quiet"])
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    value: dict[str, Any] = orjson.loads(printed.out)
    return value


def as_json(result: recombine.workbench.results.result.Result) -> dict[str, Any]:
    value: dict[str, Any] = orjson.loads(orjson.dumps(result.to_dict()))
    return value


@pytest.mark.parametrize("name", VERBS)
def test_options_are_those_of_the_command(name: str) -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert set(commands) == set(VERBS)
    params = {NAMES.get(each.name, each.name): each for each in commands[name].params}
    flags = {key for key, each in params.items() if each.param_type_name == "option"}
    method = inspect.signature(getattr(recombine.study("study.toml"), name)).parameters
    keywords = {key for key, each in method.items() if each.kind is each.KEYWORD_ONLY}
    assert keywords - {"plugin", "max_unpacked", "no_cache"} == flags - {
        "as_json",
        "quiet",
        "out",
        "help",
        "plugin",
        "max_unpacked",
        "no_cache",
    }
    for key in keywords & flags:
        assert (method[key].default or None) == (params[key].default or None), key


def test_a_study_is_light_until_it_is_asked() -> None:
    study = recombine.study("nowhere/study.toml")
    assert repr(study) == "<Study: nowhere/study.toml>"
    with pytest.raises(recombine.RecombineError, match=r"nowhere/study\.toml: no such file"):
        study.status()


@pytest.mark.filterwarnings("error")
def test_each_verb_gives_what_its_command_prints(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="needs torch")
    study, path = recombine.study(file), str(file)
    status = study.status()
    assert as_json(status) == command(capsys, "status", path)
    assert str(status) == "letters: 0 of 4 cells are done"
    ran = study.run(cells="tiny")
    assert (ran["ran"], ran["done"], ran["to_do"]) == (2, 2, 2)
    ran = study.run()
    assert ran.errors.keys() == {"wild/random/0", "wild/random/1"}
    assert str(ran) == "letters: 2 of 4 cells are done, 2 failed"
    assert "<th style='text-align:left'>random</th>" in ran._repr_html_()
    assert as_json(study.run()) == command(capsys, "run", path, code=1)
    assert study.run(retry=True)["ran"] == 2
    report = study.report(examples=1)
    printed = command(capsys, "report", path, "--examples", "1", "-o", str(tmp_path / "page.html"))
    assert as_json(report) == {**printed, "file": None}
    report.write(tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "page.html").read_bytes() == report.page
    assert len(study.report().page) > len(report.page)
    assert as_json(study.migrate()) == command(capsys, "migrate", path)
    assert capsys.readouterr() == ("", "")  # nobody listens


def test_results_are_where_the_study_or_the_verb_says(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch")
    there = recombine.study(file, results=tmp_path / "there")
    assert there.run(cells=["tiny/random/0"])["results"] == str(tmp_path / "there")
    assert recombine.study(str(file)).run(cells=("tiny/random/0",), results=tmp_path / "here")["done"] == 1
    assert there.status(results=tmp_path / "here")["results"] == str(tmp_path / "here")
    assert content(tmp_path / "there") == content(tmp_path / "here")
    assert recombine.study(file).status()["done"] == 0


@pytest.mark.filterwarnings("error")
def test_export_and_collect(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="needs torch")
    from recombine.models.seq2seq import run as elsewhere

    study, folder = recombine.study(file), tmp_path / "folder"
    packed = study.export(folder, cells=["tiny"])
    assert as_json(packed) == {"folders": {str(folder): 2}, "left_out": {}}
    assert str(packed) == f"2 cells in {folder}"
    assert as_json(packed) == command(capsys, "export", str(file), "-o", str(folder), "--cells", "tiny")
    made = [str(folder), "--out", str(tmp_path / "made"), "--work", str(tmp_path / "work")]
    assert elsewhere.main([*made, "--curve", "10", "--sample", "4", "--device", "cpu"]) == 0
    capsys.readouterr()
    back = study.collect(folder, from_=tmp_path / "made")
    assert (back["stored"], back["done"], back.failed) == (2, 2, [])
    again = study.collect(folder, from_=tmp_path / "made")
    assert as_json(again) == command(capsys, "collect", str(file), str(folder), "--from", str(tmp_path / "made"))


class Recorder:
    """Writes down what it is told of a run."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def removed(self, names: Any) -> None:
        self.told.append(("removed", list(names)))

    def begin(self, tasks: Any, skipped: int) -> None:
        self.told.append(("begin", len(tasks), skipped))

    def stored(self, record: dict[str, Any]) -> None:
        self.told.append(record["name"])


def test_a_watcher_of_the_surroundings_follows_a_run(file: Path) -> None:
    pytest.importorskip("torch", reason="needs torch")
    recorder = Recorder()
    with watched_by(recorder):
        recombine.study(file).run(cells="tiny/random/0")
        recombine.study(file).run(cells="tiny")
    assert recorder.told == [("begin", 1, 0), "tiny/random/0", ("begin", 1, 1), "tiny/random/1"]
    assert current_watcher() is None


def test_a_note_on_older_records_is_a_warning(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.studies.cells import plan
    from recombine.studies.cells.migrate_records import Migrated

    left = Migrated((), {"0" * 32: "no reason"})
    monkeypatch.setattr(plan, "migrate_records", lambda *_: left)
    with pytest.warns(InputWarning) as noted:
        recombine.study(file).export(file.parent / "folder", cells="tiny")
    assert [str(each.message) for each in noted] == list(left.messages())


def test_registered_metrics_and_error_types_are_in_a_study(file: Path) -> None:
    """In the scores of its cells, and on its page."""

    class Small:
        def __init__(self, pairs: Any) -> None:
            self.share = sum(output != output.upper() for _, output in pairs) / len(pairs)

        def to_record(self) -> dict[str, Any]:
            return {"share": self.share}

    register_matcher(Matcher.of("big", str.upper), languages=("functional",))
    analysis = ErrorAnalysis("small", Small, percents=lambda found: {"small_letters": 100 * found.share})
    register_errors("functional", analysis)
    file.write_text(STUDY.replace('file = "letters.tsv"', 'file = "letters.tsv"\nlanguage = "functional"'))
    programs = "".join(f"letter {n}\tF ( {n} )\n" for n in range(16))
    (file.parent / "letters.tsv").write_text(f"source\ttarget\n{programs}")
    plan = recombine.study(file).export(file.parent / "folder").plan
    for cell in plan.cells:
        assert cell.split is not None
        gold = [plan.datasets[cell.data][key].target for key in cell.split.test]
        outputs = (gold[0], *(text.lower() for text in gold[1:]))
        record = store_outcome(plan.results, cell, plan.datasets[cell.data], CellOutcome(outputs))
        assert (record["score"]["exact_match"], record["score"]["big"]) == (0.25, 1)
    page = recombine.study(file).report().page.decode()
    section = page[page.index('<section id="error-types"') :]
    assert "small letters" in section
    assert "75.0" in section
    assert '<a href="#error-types">' in page
    assert '<section id="errors"' not in page
