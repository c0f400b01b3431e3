"""The verb `levels`: a table for people, one object for programs, lines in a file; bad input is one clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from made_questions import made_questions, write_ontology

from recombine.cli.main import run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with data, an ontology and a split."""
    monkeypatch.chdir(tmp_path)
    write_ontology(tmp_path / "ontology")
    rows = made_questions(1, questions=200)
    Path("data.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    Path("split.json").write_text(orjson.dumps({"train": list(range(150)), "test": list(range(150, 200))}).decode())
    Path("shown.jsonl").write_text('{"id": "q150", "shown": ["q0", "q1"]}\n')
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["levels", "data.jsonl", "split.json", "--language", "sexpression", *arguments])
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


def test_a_table_and_an_object(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "--ontology", "ontology")
    value: dict[str, Any] = orjson.loads(call(capsys, "--ontology", "ontology", "--json", "-o", "out.jsonl")[0])
    counts = value["levels"]["test"]["counts"]
    assert sum(counts.values()) == value["levels"]["test"]["n"] == 50
    assert all(f"{count} ({count / 50:.1%})" in out for count in counts.values())
    assert max(map(len, out.splitlines()[:4])) <= 100
    assert value["file"] == "out.jsonl"
    lines = [orjson.loads(line) for line in Path("out.jsonl").read_bytes().splitlines()]
    assert {level: sum(line["level"] == level for line in lines) for level in counts} == counts
    assert "profile:freebase|ontology:" in value["signature"]


def test_examples_without_a_prompt_are_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, "--ontology", "ontology", "--shown", "shown.jsonl")
    assert "levels:shown" in out
    assert "49 examples have no line in shown.jsonl, and no level" in err


def test_unreadable_programs_are_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path("data.jsonl").read_text().splitlines()
    lines[199] = '{"id": "q199", "source": "s", "target": "(JOIN film.thing.maker"}'
    Path("data.jsonl").write_text("\n".join(lines) + "\n")
    _, err = call(capsys, "--ontology", "ontology")
    assert "1 program cannot be read and has no level; q199: " in err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--constructs",), "--constructs is for SPARQL, and data is in sexpression"),
        (("--ontology", "nowhere"), "nowhere"),
        (("--profile", "freebse"), "freebse"),
        (("--shown", "nothing.jsonl"), "nothing.jsonl: no such file"),
        (("-o", "no/folder/out.jsonl"), "no/folder"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], problem: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, *arguments, code=2)
    assert out == ""
    assert problem in err
    assert len([line for line in err.splitlines() if line.startswith("error: ")]) == 1
