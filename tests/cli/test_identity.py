"""Equal questions over different items stay apart in the verbs where the data's identity says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.cli.main import run

PROGRAMS = ["count ( dog )", "count ( cat )", "exists ( dog )", "exists ( cat )"]


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        run([*arguments, "--json", "--quiet"])
    printed = capsys.readouterr()
    assert ended.value.code == 0, printed.err
    value = orjson.loads(printed.out)
    assert isinstance(value, dict)
    return value


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        run([*arguments, "--quiet"])
    assert ended.value.code == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four questions, each over two scenes."""
    monkeypatch.chdir(tmp_path)
    rows = [{"source": text, "target": text, "scene": scene} for text in PROGRAMS for scene in ("a", "b")]
    Path("data.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    Path("data.jsonl.meta.json").write_bytes(orjson.dumps({"context": ["scene"], "identity": ["scene"]}))
    return tmp_path


@pytest.fixture
def parts(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    """The parts of a split of them."""
    options = ("--by", "random", "--language", "functional", "--test", "4", "-o", "split.json", "--seed", "2")
    as_json(capsys, "split", "data.jsonl", *options)
    record = orjson.loads((folder / "split.json").read_bytes())
    parts: dict[str, list[str]] = record["parts"]
    return parts


def test_a_split_has_both(parts: dict[str, list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    ids = [*parts["train"], *parts["test"]]
    assert len(set(ids)) == 8
    assert not any("#" in key for key in ids)
    measured = as_json(capsys, "measure", "data.jsonl", "split.json")
    # The same question in both parts is another example, whose text is in train all the same.
    assert measured["duplicates"]["ids"] == 0
    assert measured["duplicates"]["pairs"] > 0
    assert as_json(capsys, "check", "data.jsonl", "split.json")["problems"] == []


def test_a_split_does_not_fit_data_that_does_not_tell_them_apart(
    parts: dict[str, list[str]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data.jsonl.meta.json").unlink()
    assert "was made for data with content" in refusal(capsys, "measure", "data.jsonl", "split.json")


def test_equal_programs_are_kept_together_whatever_they_are_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--by", "random", "--language", "functional", "--test", "4", "--no-duplicates", "-o", "split.json")
    as_json(capsys, "split", "data.jsonl", *options)
    assert as_json(capsys, "measure", "data.jsonl", "split.json")["duplicates"]["pairs"] == 0


def test_difficulty_is_of_each(parts: dict[str, list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "difficulty", "data.jsonl", "split.json")
    assert [row["id"] for row in value["examples"]] == parts["test"]


def test_predictions_are_scored_by_id(
    parts: dict[str, list[str]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = as_json(capsys, "show", "data.jsonl", "-n", "8")["examples"]
    texts = {example["id"]: example["target"] for example in written}
    right = [texts[key] if place else "count ( cow )" for place, key in enumerate(parts["test"])]
    rows = [{"id": key, "prediction": text} for key, text in zip(parts["test"], right, strict=True)]
    (folder / "out.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    value = as_json(capsys, "score", "data.jsonl", "split.json", "out.jsonl", "-o", "judged.jsonl")
    assert (value["n"], value["exact_match"]) == (4, 0.75)
    judged = [orjson.loads(line) for line in (folder / "judged.jsonl").read_bytes().splitlines()]
    assert {row["id"]: row["correct"] for row in judged} == {key: place > 0 for place, key in enumerate(parts["test"])}


def test_predictions_are_not_joined_on_texts_that_two_share(
    parts: dict[str, list[str]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"source": text, "prediction": text} for text in PROGRAMS]
    (folder / "out.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    told = refusal(capsys, "score", "data.jsonl", "split.json", "out.jsonl", "--match-on", "source")
    assert told == ("error: out.jsonl, line 1: its source is that of 2 examples which differ in scene; join on ids")


def test_what_show_and_select_write_is_read_back(
    parts: dict[str, list[str]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = as_json(capsys, "show", "data.jsonl", "-o", "again.tsv")
    assert (folder / "again.tsv.meta.json").is_file()
    after = as_json(capsys, "show", "again.tsv", "--source", "source", "--target", "target")
    assert after["hash"] == before["hash"]
    options = ("-k", "2", "--by", "random", "--split", "split.json", "-o", "two.jsonl")
    chosen = as_json(capsys, "select", "data.jsonl", *options)["ids"]
    rows = [orjson.loads(line) for line in (folder / "two.jsonl").read_bytes().splitlines()]
    assert [row["id"] for row in rows] == chosen
    assert all(row["scene"] in ("a", "b") for row in rows)
    assert orjson.loads((folder / "two.jsonl.meta.json").read_bytes())["identity"] == ["scene"]
