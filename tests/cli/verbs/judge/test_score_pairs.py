"""`score --pairs` and the metric `spider` in `score`: what they print, write and refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run

TABLES = [
    {
        "db_id": "dogs",
        "table_names_original": ["Owners", "Dogs"],
        "column_names_original": [[-1, "*"], [0, "ID"], [0, "City"], [1, "Name"], [1, "Owner_ID"]],
        "foreign_keys": [[4, 1]],
    }
]
JOIN = "from owners as o join dogs as d on o.id = d.owner_id"
PAIRS = [
    {"gold": f"select id {JOIN}", "prediction": "select d.owner_id from dogs as d join owners as o", "db_id": "dogs"},
    {"gold": "select name from dogs", "prediction": "select distinct name from dogs", "db_id": "dogs", "n": 7},
    {"gold": "select name from dogs", "prediction": "select city from owners", "db_id": "dogs"},
    {"gold": "select name from dogs", "prediction": "select size from dogs", "db_id": "dogs"},
]


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


def write(path: Path, *records: Any) -> None:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "pairs.jsonl", *PAIRS)
    write(tmp_path / "tables.json", TABLES)
    return tmp_path


SPIDER = ("score", "--pairs", "pairs.jsonl", "--match", "spider", "--schemas", "tables.json")


def test_pairs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, *SPIDER, "--json", "--quiet", "-o", "made.jsonl")
    value = orjson.loads(out)
    assert err == ""
    assert (value["accuracy"], value["spider"], value["n"], value["unreadable"]) == (0.5, 0.5, 4, 1)
    assert value["interval"] == value["intervals"]["spider"]
    assert value["outcomes"] == {"right": 2, "wrong": 1, "unreadable": 1, "abstained": 0, "gold_unreadable": 0}
    assert value["file"] == "made.jsonl"
    assert (here / "made.jsonl").read_text() == "".join(
        f'{{"n":{n},"match":{match}}}\n' for n, match in ((0, "true"), (7, "true"), (2, "false"), (3, "false"))
    )
    result = recombine.score(pairs="pairs.jsonl", match="spider", schemas="tables.json")
    assert {**result, "file": "made.jsonl"} == value
    assert str(result).startswith("spider 0.500 (")


def test_the_table_ends_with_the_signature(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, *SPIDER, "--metric", "set_match", "--quiet")
    lines = out.rstrip().split("\n")
    assert all(len(line.rstrip()) <= 100 for line in lines[:-1])
    assert lines[-1].startswith("pairs:pairs.jsonl@")
    assert "|metric:spider,set_match|language:sql|" in lines[-1]
    assert recombine.Signature.parse(lines[-1]).get("schemas", "").startswith("tables.json@")
    assert any(line.split()[:2] == ["spider", "0.500"] for line in lines)
    assert any(line.split()[:3] == ["set", "match", "0.000"] for line in lines)


def test_a_share_that_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = call(capsys, *SPIDER, "--at-least", "0.6", code=1)
    assert "the accuracy of 0.5000 is below 0.6" in err
    call(capsys, *SPIDER, "--at-least", "0.5")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("score",), "there is nothing to score; name DATA, SPLIT and PREDICTIONS, or give --pairs FILE"),
        (("score", "scan", "scan/mcd1"), "there is nothing to score"),
        (("score", "scan", "--pairs", "pairs.jsonl"), "DATA has no meaning with --pairs"),
        ((*SPIDER, "--errors"), "--errors has no meaning with --pairs"),
        ((*SPIDER, "--part", "dev"), "--part has no meaning with --pairs"),
        ((*SPIDER, "--by", "template"), "--by has no meaning with --pairs"),
        ((*SPIDER, "--on", "answer"), "--on has no meaning with --pairs"),
        ((*SPIDER[:-1], "pairs.jsonl"), "pairs.jsonl: broken JSON at line 2"),
        ((*SPIDER[:-1], "none.json"), "none.json: no such file"),
        (("score", "--pairs", "none.jsonl"), "none.jsonl: no such file"),
        (("score", "--pairs", "pairs.jsonl", "--match", "normalised"), "the language of the targets is not known"),
    ],
)
def test_what_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
) -> None:
    out, err = call(capsys, *arguments, "-o", "made.jsonl", code=2)
    assert out == ""
    assert err.startswith(f"error: {problem}")
    assert err.count("\n") == 1
    assert not (here / "made.jsonl").exists()


def test_the_metric_on_data_of_ones_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": str(n), "source": f"q{n}", "target": p["gold"], "db_id": "dogs"} for n, p in enumerate(PAIRS)]
    write(here / "data.jsonl", *rows)
    write(here / "outputs.jsonl", *({"id": str(n), "prediction": p["prediction"]} for n, p in enumerate(PAIRS)))
    named = ("score", "data.jsonl", "all", "outputs.jsonl", "--language", "sql", "--schemas", "tables.json")
    for option in ("--match", "--metric"):
        out, _ = call(capsys, *named, option, "spider", "--json", "--quiet")
        value = orjson.loads(out)
        assert (value["exact_match"], value["set_match"], value["spider"]) == (0.0, 0.0, 0.5)
        verdicts = {"right": 2, "wrong": 1, "malformed": 0, "abstained": 0, "unsupported": 1}
        assert value["verdicts"]["spider"] == verdicts
        assert "|schemas:tables.json@" in value["signature"]


@pytest.mark.shared_data
def test_gold_against_gold_on_spider(
    data_dir: Path, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(data_dir))
    data = recombine.load("spider/xsp")
    rows = [e for e in data if e.tags["part"] == "dev"]
    write(here / "gold.jsonl", *({"gold": e.target, "prediction": e.target, "db_id": e.tags["db_id"]} for e in rows))
    result = recombine.score(pairs="gold.jsonl", match="spider", metric="set_match")
    assert (result["spider"], result["set_match"], result["n"]) == (1.0, 1.0, 1034)
