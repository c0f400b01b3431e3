"""The verb `select`: ids for training and for prompts; bad input is a clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
import typer
from typer.testing import CliRunner

from recombine.cli.verbs.explain.select import select
from recombine.errors import RecombineError
from small_programs import sample_programs

APP = typer.Typer()
APP.command("select")(select)


def write(path: Path, *records: object) -> None:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = sample_programs(40)
    write(tmp_path / "all.jsonl", *({"id": f"p{n}", "source": str(n), "target": t} for n, t in enumerate(texts)))
    (tmp_path / "split.json").write_text(orjson.dumps({"train": list(range(30)), "test": list(range(30, 40))}).decode())
    write(tmp_path / "out.jsonl", {"id": "p30", "prediction": texts[30]}, {"id": "p31", "prediction": "exists ("})
    write(tmp_path / "other.jsonl", {"id": "q", "prediction": texts[30]})
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(APP, ["all.jsonl", *arguments, "--language", "functional"])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def value(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(run(*arguments, "--json", "--quiet"))
    return found


@pytest.mark.parametrize("by", ["local-structure", "random", "template"])
def test_to_train_on(by: str, here: Path) -> None:
    found = value("-k", "5", "--by", by, "--split", "split.json", "-o", "chosen.jsonl")
    assert len(set(found["ids"])) == 5
    assert all(int(key[1:]) < 30 for key in found["ids"])
    written = [orjson.loads(line)["id"] for line in (here / "chosen.jsonl").read_text().splitlines()]
    assert written == found["ids"]
    assert f"|by:{by}|k:5|" in found["signature"]


def test_for_a_program(here: Path) -> None:
    found = value("-k", "2", "--by", "coverage", "--program", "and ( exists ( find ( dog ) ) , exists ( scene ( ) ) )")
    assert len(found["ids"]) == 2
    assert found["reasons"][0].startswith("<s> > and > exists")
    shown = run("-k", "2", "--by", "coverage", "--program", "exists ( find ( dog ) )")
    assert "    for exists > find > dog" in shown
    assert shown.splitlines()[-1].startswith("data:all@")


def test_for_predictions(here: Path) -> None:
    found = value("-k", "2", "--by", "coverage", "--predictions", "out.jsonl")
    assert list(found["prompts"]) == ["p30"]
    assert found["ids"] == found["prompts"]["p30"]["ids"]
    assert "p30" not in found["ids"]
    assert list(found["unparsable"]) == ["p31"]
    assert run("-k", "2", "--by", "coverage", "--predictions", "out.jsonl").startswith("p30  p")


CASES = {
    "way": (["-k", "2", "--by", "locals"], "unknown way to select 'locals'"),
    "too many": (["-k", "41"], "41 examples are asked for, but there are 40"),
    "none": (["-k", "0"], "cannot select 0 examples"),
    "nothing to cover": (["-k", "2", "--by", "coverage"], "it is not clear what to cover"),
    "nothing is covered": (["-k", "2", "--program", "dog"], "--by local-structure covers no program"),
    "unparsable": (["-k", "2", "--by", "coverage", "--program", "exists ("], "the program cannot be read: functional"),
    "ids": (["-k", "2", "--by", "coverage", "--predictions", "other.jsonl"], "line 1: the id 'q' is not in all"),
    "part": (["-k", "2", "--split", "split.json", "--part", "dev"], "has no part 'dev'"),
    "definition": (["-k", "2", "--structures", "local:9"], "cannot read the local structures 'local:9'"),
    "file": (["-k", "2", "-o", "no/such.jsonl"], "no/such.jsonl: the directory no does not exist"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case: str, here: Path) -> None:
    arguments, message = CASES[case]
    before = sorted(path.name for path in here.iterdir())
    with pytest.raises(RecombineError, match=message):
        run(*arguments)
    assert sorted(path.name for path in here.iterdir()) == before
