"""`recombine check` does not pass what it could not look at, and does not print more atoms than one reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.cli.main import run

SPLIT = ("--by", "length:target", "--max-length", "7", "-o", "split.json", "--quiet")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with FunQL whose long programs have symbols that the short ones lack."""
    monkeypatch.chdir(tmp_path)
    rows = [(f"size {n}", f"answer ( city ( m{n} ) )") for n in range(5)]
    rows += [(f"both {n}", f"answer ( city ( loc_2 ( m{n} ) ) )") for n in range(120)]
    lines = (orjson.dumps({"source": source, "target": target}) + b"\n" for source, target in rows)
    (tmp_path / "data.jsonl").write_bytes(b"".join(lines))
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out


def test_what_was_not_checked_is_said_and_is_no_pass_when_strict(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call(capsys, "split", "data.jsonl", *SPLIT)
    out = call(capsys, "check", "data.jsonl", "split.json")
    assert "whether every atom of the other parts is in train was not checked: data has no derivations" in out
    assert "no problems in what was checked\n" in out
    assert call(capsys, "check", "data.jsonl", "split.json", "--strict", code=1) == out
    value: dict[str, Any] = orjson.loads(call(capsys, "check", "data.jsonl", "split.json", "--json"))
    assert value["problems"] == []
    assert len(value["not_checked"]) == 1
    assert orjson.loads(call(capsys, "check", "data.jsonl", "split.json", "--json", "--strict", code=1)) == value


def test_a_whole_check_passes_when_strict(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "d.jsonl").write_text('{"source": "a", "target": "answer ( city )"}\n' * 2)
    call(capsys, "split", "d.jsonl", "--by", "random", "--test", "1", "--language", "funql", "-o", "d.json", "-q")
    out = call(capsys, "check", "d.jsonl", "d.json", "--strict")
    assert out.startswith("no problems\n")
    lines = ("split", "d.jsonl", "--by", "random", "--test", "1", "--format", "cfq", "-o", "l.json", "-q")
    call(capsys, *lines)
    unsure = call(capsys, "check", "d.jsonl", "l.json", "--language", "funql", "--strict", code=1)
    assert "whether the split was made for this content of d was not checked" in unsure


def test_many_atoms_are_shortened(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "split", "data.jsonl", *SPLIT)
    out = call(capsys, "check", "data.jsonl", "split.json", "--language", "funql", code=1)
    value = orjson.loads(call(capsys, "check", "data.jsonl", "split.json", "--language", "funql", "--json", code=1))
    atoms = value["unseen_atoms"]["test"]
    assert len(atoms) == 116  # m5 to m119, and loc_2
    [problem] = value["problems"]
    assert problem.endswith(f"{', '.join(atoms[:10])}, … and {len(atoms) - 10} more")
    assert f"problem: {problem}\n--json lists all unseen atoms\n" in out
    assert max(map(len, out.splitlines())) < 200


def test_measure_and_split_say_why_values_are_missing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reason = (
        "D_A, D_C, unseen atoms and expected accuracy were not measured: data has no derivations, "
        "and the language of its targets is"
    )
    assert reason in call(capsys, "split", "data.jsonl", *SPLIT)
    assert reason in call(capsys, "measure", "data.jsonl", "split.json")
    assert reason in call(capsys, "report", "split.json", "--data", "data.jsonl", "-o", "page.html")
    assert reason in orjson.loads(call(capsys, "measure", "data.jsonl", "split.json", "--json"))["not_measured"][0]
    known = ("measure", "data.jsonl", "split.json", "--language", "funql")
    few = "the expected accuracy was not measured: train has 5 examples, and it is calibrated for 440 to 95,743"
    assert few in call(capsys, *known)
    assert orjson.loads(call(capsys, *known, "--json"))["not_measured"] == [few]
