"""`recombine score --errors`: what it adds to the table and to the JSON object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run

GOLD = "SELECT count ( * ) WHERE { M0 film.editor.film M1 . M0 film.writer.film M1 . FILTER ( M0 != M1 ) }"
OUTPUTS = {
    "1": GOLD,
    "2": GOLD.replace("M0 film.editor.film M1 . ", ""),
    "3": GOLD.replace("{", ""),
    "4": GOLD.replace("film.editor.film", "film.director.film"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A train example like the others, and four test examples of which one is right."""
    monkeypatch.chdir(tmp_path)
    rows = [{"id": str(n), "source": f"question {n}", "target": GOLD} for n in range(5)]
    for name, records in {
        "data.jsonl": rows,
        "p.jsonl": [{"id": key, "prediction": output} for key, output in OUTPUTS.items()],
    }.items():
        (tmp_path / name).write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    (tmp_path / "split.json").write_text('{"train": [0], "test": [1, 2, 3, 4]}')
    (tmp_path / "alone.json").write_text('{"test": [1, 2, 3, 4]}')
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        run(["score", "data.jsonl", *arguments, "--quiet"])
    printed = capsys.readouterr()
    assert ended.value.code == 0, printed.err
    return printed.out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    value = orjson.loads(call(capsys, *arguments, "--json"))
    assert isinstance(value, dict)
    return value


SPARQL = ("split.json", "p.jsonl", "--language", "sparql")


def test_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here
    assert "errors" not in as_json(capsys, *SPARQL)
    value = as_json(capsys, *SPARQL, "--errors")
    found = value["errors"]
    assert found["sparql"]["of_examples"]["clause"]["sum"] == 0.5
    assert found["sparql"]["of_examples"]["malformed"] == 0.25
    assert (found["lengths"]["shorter"], found["lengths"]["same"]) == (2, 1)
    assert found["zero_probability"]["share"] == 0
    assert found["rare_atoms"]["unseen"]["n"] == 0
    assert value["signature"] == found["signature"]
    assert recombine.Signature.parse(value["signature"]).get("atoms") == "symbols,presence,literals=type"


def test_tables(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here
    out = call(capsys, *SPARQL, "--errors")
    lines = out.rstrip().split("\n")
    assert all(len(line.rstrip()) <= 100 for line in lines[:-1])
    row = next(line.split() for line in lines if line.startswith(" of all 4"))
    # Table 7's columns: clause errors; insertions, deletions; property, node, both; filter errors; …; malformed.
    assert row[3:] == ["50.0", "0.0", "25.0", "25.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "25.0"]
    assert "first wrong symbol" in out


@pytest.mark.parametrize(
    ("symbols", "text", "short", "long"),
    [
        (31, "933.3 % too long", None, pytest.approx(28 / 3)),  # 31 for 3: 28 more, which is 933.3 % of 3
        (4, "33.3 % too long", None, pytest.approx(1 / 3)),
        (3, "0.0 % off", 0, None),
        (1, "66.7 % too short", pytest.approx(2 / 3), None),
    ],
)
def test_lengths_of_wrong_outputs(
    symbols: int, text: str, short: float | None, long: float | None, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "data.jsonl").write_text('{"id": "1", "source": "s", "target": "a b c"}\n')
    (here / "p.jsonl").write_bytes(orjson.dumps({"id": "1", "prediction": " ".join("x" * symbols)}))
    (here / "alone.json").write_text('{"test": [0]}')
    out = call(capsys, "alone.json", "p.jsonl", "--errors")
    row = next(line for line in out.split("\n") if line.startswith(" all "))
    assert row.rstrip().endswith(f" 1        3.0{symbols:>13.1f}   {text}")
    assert "-" not in row
    whole = as_json(capsys, "alone.json", "p.jsonl", "--errors")["errors"]["lengths"]["whole"]
    assert (whole["too_short"], whole["too_long"]) == (short, long)


def test_without_train_and_language(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here
    out = call(capsys, "alone.json", "p.jsonl", "--errors")
    assert " % too short" in out
    assert "zero probability" not in out
    found = as_json(capsys, "alone.json", "p.jsonl", "--errors")["errors"]
    assert (found["zero_probability"], found["rare_atoms"], found["sparql"]) == (None, None, None)
