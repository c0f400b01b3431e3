"""`recombine report` writes a page and figures, or says in one line why not and writes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.cli.main import run


def call(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    return ended.value.code


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    call("generate", "scan", "-n", "60", "-o", "mine.jsonl", "--quiet")
    split = ("split", "mine.jsonl", "--by", "random", "--test", "15", "--quiet")
    call(*split, "-o", "mine.json")
    call(*split, "--seed", "1", "-o", "other.json")
    call(*split, "--format", "nqg", "-o", "lines.json")
    (tmp_path / "scan.json").write_text(
        '{"form": "recombine-split/1", "data": "scan", "data_hash": "0", "signature": "by:hand|version:0.1.0", '
        '"parts": {"train": [], "test": []}}'
    )
    capsys.readouterr()
    return tmp_path


def test_a_report_with_figures(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("report", "mine.json", "other.json", "--data", "mine.jsonl", "-o", "out.html", "--figures", "figures")
    assert call(*arguments, "--json", "--quiet") == 0
    value: dict[str, Any] = orjson.loads(capsys.readouterr().out)
    page = (here / "out.html").read_bytes()
    assert (value["file"], value["bytes"]) == ("out.html", len(page))
    assert [row["split"] for row in value["splits"]] == ["mine", "other"]
    assert {"compound_divergence", "signature"} <= set(value["splits"][0])
    assert sorted(value["figures"]) == sorted(f"figures/{path.name}" for path in (here / "figures").iterdir())
    assert call(*arguments) == 0
    assert capsys.readouterr().out.rstrip().split("\n")[-1] == value["splits"][1]["signature"]
    assert (here / "out.html").read_bytes() == page


def test_line_numbers_are_said_to_be_unverified(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("report", "lines.json", "--data", "mine.jsonl", "-o", "out.html") == 0
    assert "the rest is unverified" in capsys.readouterr().err


BAD = {
    "no data named": (["lines.json"], "lines.json does not say which data it splits"),
    "data of one's own": (["mine.json"], "name the data file with --data"),
    "a bare name": (["mcd1"], "write for example scan/mcd1"),
    "unknown data": (["scam/mcd1"], "did you mean 'scan'"),
    "two data sets": (["scan.json", "lines.json"], "does not say which data"),
    "other content": (["scan.json", "--data", "mine.jsonl"], "was made for scan with content 0"),
    "twice": (["mine.json", "mine.json", "--data", "mine.jsonl"], "is named twice"),
    "missing file": (["nowhere.json"], "nowhere.json: no such file"),
    "unknown part": (["mine.json", "--data", "mine.jsonl", "--against", "gen"], "has no part 'gen'"),
    "against itself": (["mine.json", "--against", "train"], "cannot be compared with itself"),
    "negative seed": (["mine.json", "--seed", "-1"], "the seed is -1"),
    "negative examples": (["mine.json", "--examples", "-1"], "the number of examples is -1"),
    "bad definition": (["mine.json", "--structures", "dag"], "write for example dag:2-9,counts"),
    "figures in a file": (["mine.json", "--figures", "mine.jsonl"], "mine.jsonl: is a file"),
    "figures nowhere": (["mine.json", "--figures", "no/such"], "the directory no does not exist"),
    "no output": (["mine.json", "-o", "no/out.html"], "the directory no does not exist"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = BAD[case]
    before = sorted(here.rglob("*"))
    assert call("report", "-o", "out.html", *arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert message in printed.err
    assert sorted(here.rglob("*")) == before


def test_splits_of_two_data_sets(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The catalogue is given a second name, so that two files name two data sets of it.
    from recombine.datasets import catalogue

    monkeypatch.setitem(catalogue.CATALOGUE._things, "other", catalogue.CATALOGUE["scan"])
    (here / "second.json").write_text((here / "scan.json").read_text().replace('"scan"', '"other"'))
    assert call("report", "scan.json", "second.json", "-o", "out.html") == 2
    assert "scan.json is a split of scan, second.json one of other" in capsys.readouterr().err
    assert not (here / "out.html").exists()
