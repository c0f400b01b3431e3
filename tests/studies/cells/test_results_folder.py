"""A run removes nothing but its own files, says what it removes, and refuses a folder of other things."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer

from recombine.cli.verbs.studies.study import app
from recombine.errors import InputFileError, OutputFileError
from recombine.models.family import Family
from recombine.models.known import MODELS
from recombine.studies.cells.plan import make_plan
from recombine.studies.cells.results_folder import MARKER, check_folder, claim_folder
from recombine.studies.running.run_study import run_study
from small_study import Study

ECHO = """
name = "echoes"
[[data]]
file = "letters.tsv"
[[split]]
by = "random"
train = 12
test = 4
[[model]]
preset = "echo"
"""
KEY, OTHER = "0" * 32, "f" * 32


class Echo:
    """Answers what it is asked."""

    def fit(self, pairs: Any) -> None:
        del pairs

    def predict(self, sources: list[str]) -> list[str]:
        return [source.upper() for source in sources]


@pytest.fixture(autouse=True)
def _echo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS._things, "echo", Family(name="echo", make=lambda *_: Echo()))


class Told:
    """Keeps what a run says it removed."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def removed(self, names: Any) -> None:
        self.names += names

    def begin(self, tasks: Any, skipped: int) -> None: ...

    def stored(self, record: Any) -> None: ...


def write(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    return [folder / name for name in names]


@pytest.mark.parametrize("verb", ["run", "export", "collect"])
def test_a_folder_of_other_things_is_refused_and_left_as_it_is(verb: str, study: Study, tmp_path: Path) -> None:
    path, place = study(ECHO), tmp_path / "home"
    mine = write(place, ".env", ".gitignore", "work/thesis.tex")
    before = sorted(place.rglob("*"))
    more = {"run": [], "export": ["-o", str(tmp_path / "out")], "collect": [str(tmp_path)]}[verb]
    with pytest.raises(OutputFileError, match=r"home: is no folder of results .*: \.env and 2 more; name an empty"):
        typer.main.get_command(app).main(args=[verb, str(path), *more, "--results", str(place)], standalone_mode=False)
    assert sorted(place.rglob("*")) == before
    assert all(path.read_text() == "mine" for path in mine)


def test_what_is_not_ours_stays_where_the_marker_is(study: Study, tmp_path: Path) -> None:
    place = tmp_path / "r"
    claim_folder(place, "echoes")
    names = [
        ".env",
        ".gitignore",
        "work/thesis.tex",
        "work/chapter/one.tex",
        f"work/{KEY}.notes",
        f"work/{KEY}-old.safetensors",
        f"work/{KEY}.stack.bak",
        f".{KEY}.json",
        f".{KEY}.json.backup01x",
        "splits/.hidden",
        "timings/.notes.json.abcdefgh",
        "notes.json",
    ]
    mine = write(place, *names)
    (place / "work" / f"{OTHER}.step").mkdir()
    told = Told()
    ran = run_study(make_plan(study(ECHO), place), watcher=told)
    assert (len(ran.records), ran.failed, ran.removed, told.names) == (1, [], (), [])
    assert all(path.read_text() == "mine" for path in mine)
    assert (place / "work" / f"{OTHER}.step").is_dir()


def test_what_a_kill_left_is_removed_and_said(study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, place = study(ECHO), tmp_path / "r"
    left = write(
        place,
        f".{KEY}.json.a1_b2c3d",
        f".{KEY}.jsonl.gz.a1_b2c3d",
        f"splits/.{KEY}.json.zzzzzzzz",
        f"timings/.{KEY}.json.zzzzzzzz",
        f"work/.{KEY}.safetensors.12345",
        f"work/.{KEY}.step.abcdefgh",
        f"work/{KEY}.halved",
        f"work/{KEY}.safetensors",
        f"work/{KEY}.step",
        f"work/{KEY}ab.safetensors",
        f"work/{KEY}.3.safetensors",
        f"work/{KEY}.3.step",
        f"work/{OTHER}.stack",
    )
    (place / "work" / f"{OTHER}.stack").write_bytes(orjson.dumps([KEY]))
    told = Told()
    ran = run_study(make_plan(path, place), watcher=told)
    assert told.names == list(ran.removed)
    assert sorted(told.names) == sorted(str(one.relative_to(place)) for one in left)
    assert not any(one.exists() for one in left)
    assert [one.name for one in (place / "work").iterdir()] == ["lock"]
    write(place, f"work/{KEY}.step")
    command = typer.main.get_command(app)
    command.main(args=["run", str(path), "--results", str(place)], standalone_mode=False)
    assert f"removed 1 file that an earlier run left: work/{KEY}.step" in capsys.readouterr().err
    write(place, f"work/{KEY}.step")
    command.main(args=["run", str(path), "--results", str(place), "--json", "--quiet"], standalone_mode=False)
    assert orjson.loads(capsys.readouterr().out)["removed"] == [f"work/{KEY}.step"]


@pytest.mark.parametrize("content", [b"", b"{", b"null", b"[]", b"[1]", b'{"a": 1}'])
def test_a_broken_list_of_a_stack_is_removed_and_said(content: bytes, study: Study, tmp_path: Path) -> None:
    (tmp_path / "r" / "work").mkdir(parents=True)
    (tmp_path / "r" / "work" / f"{OTHER}.stack").write_bytes(content)
    ran = run_study(make_plan(study(ECHO), tmp_path / "r"))
    assert (ran.removed, len(ran.records)) == ((f"work/{OTHER}.stack",), 1)


def test_a_folder_gets_its_marker_and_one_of_our_files_alone_too(study: Study, tmp_path: Path) -> None:
    path, place = study(ECHO), tmp_path / "r"
    run_study(make_plan(path, place))
    marker = orjson.loads((place / MARKER).read_bytes())
    assert (marker["form"], marker["study"]) == ("recombine-results/1", "echoes")
    (place / MARKER).unlink()
    assert run_study(make_plan(path, place)).skipped == 1
    assert orjson.loads((place / MARKER).read_bytes()) == marker
    (place / MARKER).unlink()
    write(place, "work/sub/file")
    with pytest.raises(OutputFileError, match="holds other files: work/sub;"):
        make_plan(path, place)


def test_status_and_report_mark_nothing(study: Study, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    make_plan(study(ECHO), tmp_path / "home", make=False)
    assert not list((tmp_path / "home").iterdir())


def test_a_marker_of_another_kind_and_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / MARKER).write_text("[]")
    with pytest.raises(InputFileError, match=re.escape(f"{MARKER}: does not say recombine-results/1")):
        check_folder(tmp_path)
    with pytest.raises(OutputFileError, match="is a file; name a folder"):
        check_folder(tmp_path / MARKER)
