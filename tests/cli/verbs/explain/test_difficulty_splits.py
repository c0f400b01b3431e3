"""The verb `difficulty` with several splits and with a page; bad input writes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.cli.main import run

TEXTS = [
    "exists ( find ( dog ) )",
    "exists ( find ( cat ) )",
    "count ( find ( dog ) )",
    "count ( scene ( ) )",
    "exists ( scene ( ) )",
    "count ( find ( cat ) )",
    "exists ( find ( mouse ) )",
]


def call(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        run(["difficulty", *arguments, "--language", "covr", "--quiet"])
    return ended.value.code


def write(path: Path, *records: object) -> None:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Splits that test p4, p6 and p5, and one that tests p4 too."""
    monkeypatch.chdir(tmp_path)
    rows = [{"id": f"p{place}", "source": "", "target": text} for place, text in enumerate(TEXTS)]
    write(tmp_path / "all.jsonl", *rows)
    write(tmp_path / "train.jsonl", *rows[:4])
    write(tmp_path / "test.jsonl", *rows[4:])
    for name, test in (("one", [4, 6]), ("two", [5]), ("again", [4])):
        write(tmp_path / f"{name}.json", {"train": [0, 1, 2, 3], "test": test})
    answers = {"p4": True, "p5": True, "p6": False}
    write(tmp_path / "m.jsonl", *({"id": key, "correct": right, "model": "m"} for key, right in answers.items()))
    write(tmp_path / "again.jsonl", {"id": "p4", "correct": False, "model": "m"})
    return tmp_path


def value(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert call(*arguments, "--json") == 0
    found: dict[str, Any] = orjson.loads(capsys.readouterr().out)
    return found


def test_several_splits(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = value(capsys, "all.jsonl", "one.json", "two.json", "--predictions", "m.jsonl")
    assert [(row["split"], row["mean_easiness"]) for row in found["splits"]] == [("one", 0.375), ("two", 1.0)]
    assert [row["auc"] for row in found["splits"]] == [1.0, None]
    assert (found["auc"], found["within"], found["negatives"], found["pearson"]) == (1.0, 1.0, 1, None)
    assert "report" not in found
    plain = value(capsys, "all.jsonl", "one.json", "two.json")
    assert (plain["auc"], plain["negatives"], len(plain["splits"])) == (None, None, 2)


def test_what_a_person_reads(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("all.jsonl", "one.json", "two.json", "--predictions", "m.jsonl", "--report", "page.html") == 0
    shown = capsys.readouterr().out
    assert "0.375  one: 2 examples, 4 to train, 2 with structures that train does not show" in shown
    assert "AUC 1.000 against majority: 2 right, 1 wrong, 0 dropped; models: m" in shown
    assert "within splits 1.000; the mean of each split alone" in shown
    assert "written to page.html (0." in shown
    # The splits differ in their sizes, and so in their signatures.
    assert [line.partition("|parts:")[2][:14] for line in shown.splitlines()[-2:]] == [
        "train=4,test=2",
        "train=4,test=1",
    ]


def test_a_page(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = value(capsys, "all.jsonl", "one.json", "--report", "page.html")
    page = (here / "page.html").read_bytes()
    assert found["report"] == {"file": "page.html", "bytes": len(page)}
    assert found["signature"] in page.decode()
    # The page changes nothing in what is printed otherwise.
    del found["report"]
    assert found == value(capsys, "all.jsonl", "one.json")
    both = value(capsys, "all.jsonl", "one.json", "two.json", "--predictions", "m.jsonl", "--report", "page.html")
    assert both["report"]["bytes"] == (here / "page.html").stat().st_size
    assert 'id="scatter-title"' in (here / "page.html").read_text()


def test_a_page_on_two_files(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value(capsys, "--train", "train.jsonl", "--test", "test.jsonl", "--predictions", "m.jsonl", "--report", "page.html")
    page = (here / "page.html").read_text()
    assert "<title>test: which test examples are hard, and why</title>" in page
    assert 'id="roc-title"' in page


def test_a_file_for_each_split(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    splits = ("all.jsonl", "one.json", "again.json")
    found = value(capsys, *splits, "--predictions", "one=m.jsonl", "--predictions", "again=again.jsonl")
    assert [row["negatives"] for row in found["splits"]] == [1, 1]
    assert found["elsewhere"] == 1
    assert call(*splits, "--predictions", "m.jsonl") == 2
    assert "one and again both test p4" in capsys.readouterr().err


BAD = {
    "twice": (["one.json", "one.json"], "the split one.json is named twice"),
    "no directory": (["one.json", "--report", "no/page.html"], "the directory no does not exist"),
    "page in a directory": (["one.json", "--report", "."], "is a directory"),
    "seed": (["one.json", "--report", "page.html", "--seed", "-1"], "the seed is -1"),
    "no predictions of a split": (
        ["one.json", "two.json", "--report", "page.html", "--predictions", "one=m.jsonl"],
        "no predictions are of the split two",
    ),
    "no such split": (["one.json", "--report", "page.html", "--predictions", "on=m.jsonl"], "on=m.jsonl: no such file"),
    "gold": (
        ["one.json", "--report", "page.html", "--predictions", "m.jsonl", "--gold", "x"],
        "unknown gold label 'x'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = BAD[case]
    before = sorted(here.rglob("*"))
    assert call("all.jsonl", *arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert sorted(here.rglob("*")) == before
