"""`recombine scenes info` and `hand-off`: what they print, write and refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import OptionError, RecordError
from recombine.workbench.generate import GenerateResult


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, noisy_questions: GenerateResult) -> Path:
    path = tmp_path_factory.mktemp("made") / "q.jsonl"
    noisy_questions.write(path)
    return path


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        run(["scenes", *words])
    out = capsys.readouterr()
    assert ended.value.code == code, out.err
    return out.out if code == 0 else out.err


def test_info_counts_what_the_file_holds(made: Path) -> None:
    info = recombine.scenes_info(made)
    rows = [orjson.loads(line) for line in made.read_bytes().splitlines()]
    train, rest = [row for row in rows if row["part"] == "train"], [row for row in rows if row["part"] != "train"]
    assert (info["train"]["questions"], info["test"]["questions"]) == (len(train), len(rest)) == (48, 12)
    assert info["train"]["unique questions"] == len({row["source"] for row in train})
    assert info["test"]["unique images"] == len({image for row in rest for image in row["images"]})
    assert info["train"]["true/false"] == sum(isinstance(row["answer"], bool) for row in train)
    how_many = sum(type(row["answer"]) is int for row in train)
    assert info["train"]["how many"] == how_many
    kinds = [info["train"][kind] for kind in ("true/false", "X or Y", "how many", "open")]
    assert sum(kinds) == 48
    assert info["train"]["images per question"] == sum(len(row["images"]) for row in train) / 48
    assert info["paper"]["train"]["anonymised programs"] == 338
    assert info["twins"] == sum(row["pair"] is not None for row in rows) / 60
    assert info["answers"].keys() == {str(row["answer"]) for row in train if not isinstance(row["answer"], bool)}
    assert info["rejected"]
    assert 0 < info["truth"]["differs"] < 1


def test_info_as_text(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "info", str(made))
    for said in ("60 questions of 15 templates", "anonymised programs", "template alone", "question words", "Rejected"):
        assert said in text
    assert "differ on the truth graph" in text
    assert max(map(len, text.splitlines()[1:])) <= 100


def test_without_what_was_counted_it_is_said(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("q.jsonl", "q.jsonl.meta.json", "q.scenes.json"):
        (tmp_path / name).write_bytes(made.with_name(name).read_bytes())
    text = printed(capsys, "info", str(tmp_path / "q.jsonl"))
    assert "What was rejected is not known" in text
    assert "truth graph" not in text


def test_items_go_out_and_verdicts_come_back(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = tmp_path / "items.jsonl"
    assert "12 items of 6 questions" in printed(capsys, "hand-off", str(made), "-o", str(items))
    lines = [orjson.loads(line) for line in items.read_bytes().splitlines()]
    assert all(list(line) == ["item", "task", "parent", "author", "show", "ask"] for line in lines)
    assert [line["task"] for line in lines[:2]] == ["validate", "paraphrase"]
    assert lines[1]["parent"] == lines[0]["item"]
    assert all((made.parent / picture).is_file() for picture in lines[0]["show"]["pictures"])
    ids = [line["item"].removesuffix("/validate") for line in lines if line["task"] == "validate"]
    verdicts: list[dict[str, Any]] = [{"item": f"{key}/validate", "verdict": "accept"} for key in ids[:3]]
    verdicts += [{"item": f"{ids[3]}/validate", "verdict": each} for each in ("accept", "reject")]  # who is not sure
    verdicts += [{"item": f"{ids[0]}/paraphrase", "paraphrase": " In other words? "}]
    verdicts += [{"item": f"{ids[3]}/paraphrase", "paraphrase": "Of no use"}]
    back = tmp_path / "back.jsonl"
    back.write_bytes(b"".join(orjson.dumps(each) + b"\n" for each in verdicts))
    taken = recombine.scenes_hand_off(made, answers=back)
    assert dict(taken) | {"data": ""} == {
        "data": "",
        "questions": 6,
        "verdicts": 5,
        "judged": 4,
        "rejected": 1,
        "rejection_rate": 0.25,
        "paraphrases": 1,
        "file": None,
    }
    taken.write(tmp_path / "kept.jsonl")
    kept = recombine.load(tmp_path / "kept.jsonl", language="scenes")
    assert ids[3] not in kept
    assert len(kept) == 59
    assert kept[ids[0]].context["paraphrase"] == "In other words?"
    assert kept[ids[1]].context["paraphrase"] is None
    assert kept.opened_world is not None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"item": "nothing/validate", "verdict": "accept"}, "no item of these questions"),
        ({"item": "{id}/validate", "verdict": "maybe"}, "the verdict is 'maybe'"),
        ({"item": "{id}/paraphrase", "paraphrase": " "}, "no text"),
        ({"verdict": "accept"}, "no item of these questions"),
    ],
)
def test_what_comes_back_wrong_is_said(made: Path, tmp_path: Path, line: dict[str, str], said: str) -> None:
    key = next(e.id for e in recombine.load(made, language="scenes") if e.context["part"] == "test")
    (tmp_path / "back.jsonl").write_bytes(orjson.dumps({k: v.replace("{id}", key) for k, v in line.items()}) + b"\n")
    with pytest.raises(RecordError, match=rf"line 1.*{said}"):
        recombine.scenes_hand_off(made, answers=tmp_path / "back.jsonl")


def test_a_part_that_is_not_there_is_said(made: Path) -> None:
    with pytest.raises(OptionError, match="its parts are dev, test, train, and all"):
        recombine.scenes_hand_off(made, part="gen")
