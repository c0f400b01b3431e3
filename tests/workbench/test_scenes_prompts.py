"""`recombine scenes prompts`: prompts for a model that looks at pictures, and the way back by `score --on answer`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputFileError, InputWarning, OptionError, UnknownNameError
from recombine.workbench.generate import GenerateResult


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, noisy_questions: GenerateResult) -> Path:
    path = tmp_path_factory.mktemp("made") / "q.jsonl"
    noisy_questions.write(path)
    return path


@pytest.fixture(scope="module")
def kept(made: Path) -> Path:
    """The same questions, those of test but for one in other words too."""
    items = [line["item"] for line in recombine.scenes_hand_off(made).lines if line["task"] == "paraphrase"]
    back = made.with_name("back.jsonl")
    lines = [{"item": item, "paraphrase": f"In other words, number {n}"} for n, item in enumerate(items[1:])]
    back.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    recombine.scenes_hand_off(made, answers=back).write(made.with_name("kept.jsonl"))
    return made.with_name("kept.jsonl")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def fake_model(prompt: dict[str, Any], folder: Path, answers: dict[str, Any]) -> str:
    """Answers as it is told to, by what it was told of its pictures before; refuses where they are not there."""
    content = prompt["messages"][0]["content"]
    text = content[-1]["text"]
    assert [part["type"] for part in content] == ["image"] * len(prompt["images"]) + ["text"]
    assert all((folder / picture).read_bytes()[1:4] == b"PNG" for picture in prompt["images"])
    answer = answers[prompt["id"].removesuffix("/paraphrase")]
    options = {line[3:]: line[0] for line in text.splitlines() if line[:3] in ("A: ", "B: ")}
    if options:
        assert text.endswith("Answer with the letter A or B only.")
        return options[answer]
    if isinstance(answer, bool):
        words = ("no", "yes") if text.endswith("yes or no only.") else ("false", "true")
        return words[answer].capitalize() + "."
    if isinstance(answer, int):
        assert text.endswith("Answer with a number only.")
        return ("zero", "one", "two", "three", "four", "five")[answer]
    assert text.endswith("Answer with one word, or two, only.")
    return f"the {answer}"


def answered(path: Path, data: Path, out: Path) -> Path:
    """What the fake model answers to prompts, as predictions."""
    answers = {row["id"]: row["answer"] for row in lines_of(data)}
    rows = [{"id": row["id"], "prediction": fake_model(row, path.parent, answers)} for row in lines_of(path)]
    out.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return out


def test_there_and_back(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "deep" / "prompts.jsonl"
    out.parent.mkdir()
    with pytest.raises(SystemExit) as ended:
        run(["scenes", "prompts", str(made), "-o", str(out), "--part", "all"])
    assert ended.value.code == 0
    assert "60 prompts about" in capsys.readouterr().out
    prompts = lines_of(out)
    rows = {row["id"]: row for row in lines_of(made)}
    assert [prompt["id"] for prompt in prompts] == list(rows)
    for prompt in prompts:
        row = rows[prompt["id"]]
        assert list(prompt) == ["id", "images", "messages"]
        assert [Path(picture).stem for picture in prompt["images"]] == row["images"]
        assert row["source"] in prompt["messages"][0]["content"][-1]["text"].splitlines()
    predictions = answered(out, made, tmp_path / "answers.jsonl")
    found = recombine.score(made, "all", predictions, on="answer", language="scenes", by="template")
    assert (found["accuracy"], found["unreadable"], found["n"]) == (1.0, 0, 60)
    assert found["pair_accuracy"] == 1.0


def test_a_part_of_a_split(made: Path, tmp_path: Path) -> None:
    by_field, by_split = (
        recombine.scenes_prompts(made, part="dev"),
        recombine.scenes_prompts(made, part="dev", split=made.with_name("q.split.json")),
    )
    assert [each.id for each in by_field.prompts] == [each.id for each in by_split.prompts]
    assert by_field["prompts"] == sum(row["part"] == "dev" for row in lines_of(made)) > 0
    assert next(by_field.lines())["images"][0].startswith("q.pictures/")
    by_field.write(tmp_path / "p.jsonl")
    assert all((tmp_path / picture).is_file() for row in lines_of(tmp_path / "p.jsonl") for picture in row["images"])


def test_paraphrases_are_asked_and_scored_beside_questions(kept: Path, tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="1 of 6 questions have no paraphrase"):
        both = recombine.scenes_prompts(kept, wording="both")
    assert (both["prompts"], both["questions"], both["without_paraphrase"]) == (11, 6, 1)
    out = tmp_path / "prompts.jsonl"
    both.write(out)
    reworded = [row for row in lines_of(out) if row["id"].endswith("/paraphrase")]
    assert len(reworded) == 5
    assert all("In other words, number" in row["messages"][0]["content"][-1]["text"] for row in reworded)
    with pytest.warns(InputWarning):
        alone = recombine.scenes_prompts(kept, wording="paraphrase")
    assert [prompt.id for prompt in alone.prompts] == [row["id"] for row in reworded]
    predictions = lines_of(answered(out, kept, tmp_path / "answers.jsonl"))
    reworded = [row for row in predictions if row["id"].endswith("/paraphrase")]
    closed = [row for row in reworded if row["prediction"] in ("Yes.", "No.", "True.", "False.")]
    closed[-1]["prediction"] = "hm?"  # to an open question any word is an answer
    split = recombine.load_split(recombine.load(kept, language="scenes"), "all")
    ids = {row["id"] for row in lines_of(kept) if row["part"] == "test"}
    data = recombine.load(kept, language="scenes")
    part = recombine.Split({"test": tuple(sorted(ids))}, data.name, data.hash, split.signature, reading=data.reading)
    found = recombine.score(data, part, predictions, on="answer")
    assert (found["accuracy"], found["n"]) == (1.0, 6)
    assert (found["paraphrased"]["accuracy"], found["paraphrased"]["n"]) == (0.8, 5)
    assert found["paraphrased"]["unreadable"] == 1


def test_what_cannot_be_asked_is_said(made: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="has no part 'tset'; its parts are dev, test, train, and all"):
        recombine.scenes_prompts(made, part="tset")
    with pytest.raises(InputFileError, match="no question of test has a paraphrase"):
        recombine.scenes_prompts(made, wording="both")
    with pytest.raises(UnknownNameError, match="did you mean 'both'"):
        recombine.scenes_prompts(made, wording="bot")
    for name in ("q.jsonl", "q.jsonl.meta.json", "q.scenes.json"):
        (tmp_path / name).write_bytes(made.with_name(name).read_bytes())
    with pytest.raises(InputFileError, match="there are no pictures beside it; name their folder with --pictures DIR"):
        recombine.scenes_prompts(tmp_path / "q.jsonl")
    found = recombine.scenes_prompts(tmp_path / "q.jsonl", pictures=made.with_name("q.pictures"))
    assert found["prompts"] == 6
    (tmp_path / "few").mkdir()
    with pytest.raises(InputFileError, match="has no picture"):
        recombine.scenes_prompts(tmp_path / "q.jsonl", pictures=tmp_path / "few")
