"""Every verb does its work, prints its signature last, and speaks JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.datasets.catalogue import CATALOGUE


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    value = orjson.loads(call(capsys, *arguments, "--json", "--quiet", code=code))
    assert isinstance(value, dict)
    return value


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert "pattern:source" in call(capsys, "list")
    assert [row["data"] for row in as_json(capsys, "list")["datasets"]] == list(CATALOGUE)


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    key = recombine.load([("jump twice", "I_JUMP I_JUMP")])[0].id
    out = call(capsys, "show", "scan", "--id", key)
    assert "jump twice" in out
    assert "[[V twice]]" in out
    assert len(as_json(capsys, "show", "scan", "-n", "2")["examples"]) == 2


def test_generate_split_measure_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, split = str(tmp_path / "scan.jsonl"), str(tmp_path / "split.json")
    made = as_json(capsys, "generate", "scan", "-n", "300", "--seed", "3", "-o", data)
    assert made["examples"] == 300
    out = as_json(capsys, "split", data, "--by", "random", "--train", "200", "--test", "50", "--seed", "1", "-o", split)
    assert (out["train"], out["test"], out["file"]) == (200, 50, split)
    assert {"atom_divergence", "compound_divergence", "unseen_atom_examples", "seconds", "signature"} <= set(out)
    again = as_json(capsys, "measure", data, split)
    assert again["compound_divergence"] == out["compound_divergence"]
    assert again["signature"] == out["signature"]
    table = call(capsys, "measure", data, split)
    assert table.rstrip().split("\n")[-1] == out["signature"]
    assert recombine.Signature.parse(out["signature"]).get("seed") == "1"
    checked = as_json(capsys, "check", data, split)
    assert checked["problems"] == []
    assert as_json(capsys, "check", data, split, "--test", "49", code=1)["problems"] == ["test has 50 entries, not 49"]
    assert "problem: test has 50" in call(capsys, "check", data, split, "--test", "49", code=1)


@pytest.mark.slow
def test_a_file_of_scan_measures_like_the_catalogue(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, split = str(tmp_path / "scan.parquet"), str(tmp_path / "split.json")
    call(capsys, "generate", "scan", "-o", data)
    made = as_json(capsys, "split", "scan", "--by", "length:target", "--max-length", "22", "-o", split)
    measured = as_json(capsys, "measure", data, split)
    assert measured["compound_divergence"] == made["compound_divergence"]
    assert measured["atom_divergence"] == made["atom_divergence"]


def test_what_cannot_be_met_is_written_only_on_demand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, split = str(tmp_path / "d.jsonl"), tmp_path / "s.json"
    call(capsys, "generate", "scan", "-n", "300", "-o", data)
    wish = ("split", data, "--by", "mcd", "--train", "150", "--test", "60", "--quota", "1", "--effort", "0.01")
    wish = (*wish, "--structures", "dag:2-3,counts", "--max-atom-divergence", "1e-7", "-o", str(split))
    with pytest.raises(SystemExit) as ended:
        run([*wish])
    printed = capsys.readouterr()
    assert ended.value.code == 1
    said, refused = printed.err.splitlines()
    assert said == "of 300 examples 1 can never be in test: each has an atom that no other example has"
    assert refused.startswith("error: ")
    assert "above the cap of 1e-07" in refused
    assert not split.exists()
    with pytest.raises(SystemExit) as ended:
        run([*wish, "--best-effort"])
    printed = capsys.readouterr()
    assert ended.value.code == 1
    assert split.exists()
    assert "problems:" in printed.out
    (said,) = [line for line in printed.err.splitlines() if "above the cap of 1e-07" in line]
    assert said.startswith("note: the best split found misses a constraint: ")
    assert "error:" not in printed.err
    assert "--best-effort" not in printed.err
    with pytest.raises(SystemExit):
        run([*wish, "--best-effort", "--json", "--quiet"])
    assert "above the cap of 1e-07" in orjson.loads(capsys.readouterr().out)["missed"]


@pytest.mark.parametrize("form", ["cfq", "nqg"])
def test_index_forms(form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, split = str(tmp_path / "d.jsonl"), str(tmp_path / "s.json")
    call(capsys, "generate", "scan", "-n", "50", "-o", data)
    call(capsys, "split", data, "--by", "random", "--test", "10", "--format", form, "-o", split)
    rows = orjson.loads(Path(split).read_bytes())
    assert len(rows["testIdxs" if form == "cfq" else "test"]) == 10
    with pytest.raises(SystemExit):
        run(["measure", data, split])
    assert "the rest is unverified" in capsys.readouterr().err


def test_a_grammar_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "my.grammar").write_text(
        "%start <S>\na: <S> -> <U> twice => <U> <U>\nb: <U> -> x => y\nc: <U> -> z => y\n"
    )
    made = as_json(capsys, "generate", str(tmp_path / "my.grammar"), "-o", str(tmp_path / "my.jsonl"))
    assert (made["examples"], made["same_pair_dropped"]) == (2, 0)
    assert "x twice" in call(capsys, "generate", str(tmp_path / "my.grammar"))


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version") == f"recombine {recombine.__version__}\n"


def test_markup_in_data_is_shown_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("[bold]say[/bold] :smile:\t[red]x\n")
    assert "[bold]say[/bold] :smile:" in call(capsys, "show", str(tmp_path / "a.tsv"))
