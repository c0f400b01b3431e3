"""The most frequent answers: what they are, what is drawn, and what is expected of a draw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputFileError, OptionError, RecordError
from recombine.models.known import find_model
from recombine.models.majority import FAMILY, MajorityParser
from recombine.models.task import Task, TaskCell
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.records.signature import Signature
from recombine.records.split import Split

# Train: true three times, false twice, 2 once, and four choices of which three have the first option as their answer.
TRAIN: list[tuple[str, Any]] = [
    *(("VERIFY", True), ("VERIFY", True), ("VERIFY", False), ("COUNT", 2), ("LOGIC", False), ("LOGIC", True)),
    *(("CHOOSE", "red"), ("CHOOSE", "red"), ("CHOOSE", "red"), ("CHOOSE", "blue")),
]
TEST: list[tuple[str, Any]] = [("VERIFY", True), ("VERIFY", False), ("COUNT", 2), ("CHOOSE", "red"), ("CHOOSE", "blue")]


def question(key: str, template: str, answer: Any) -> Example:
    program = (
        "choose_attr ( red , blue , unique ( find ( cap ) ) )" if template == "CHOOSE" else "count ( find ( cap ) )"
    )
    return Example(key, f"{template}?", program, context={"template": template, "answer": answer})


@pytest.fixture
def asked() -> tuple[Dataset, Split]:
    rows = [question(f"{part}{n}", *row) for part, rows in (("t", TRAIN), ("e", TEST)) for n, row in enumerate(rows)]
    data = Dataset.of("caps", rows)
    parts = {part: tuple(row.id for row in rows if row.id[0] == key) for part, key in (("train", "t"), ("test", "e"))}
    return data, Split(parts, data.name, data.hash, Signature.of(data=data, by="hand"), reading=data.reading)


def test_the_parts_are_those_meant(asked: tuple[Dataset, Split]) -> None:
    assert asked[1].sizes() == {"train": 10, "test": 5}


def test_the_most_frequent_answer_of_all(asked: tuple[Dataset, Split]) -> None:
    trained = recombine.train(*asked, model="maj")
    # True and red stand three times each; of equals the first by name, as texts.
    assert trained["majority"] == "red"
    found = recombine.predict(trained, *asked)
    assert set(found.outputs.values()) == {"red"}
    assert (found["accuracy"], found["expected_accuracy"], found["unreadable"]) == (0.2, None, 3)


def test_the_most_frequent_answer_of_a_template_and_half_a_choice(asked: tuple[Dataset, Split], tmp_path: Path) -> None:
    trained = recombine.train(*asked, model="maj-template")
    # LOGIC has both once: false comes before true.
    assert trained["templates"] == {"VERIFY": "true", "COUNT": "2", "LOGIC": "false"}
    assert trained["choices"] == {"CHOOSE": 2}
    found = recombine.predict(trained, *asked)
    outputs = list(found.outputs.values())
    assert outputs[:3] == ["true", "true", "2"]
    assert set(outputs[3:]) <= {"A", "B"}
    # By hand: right, wrong, right, one half, one half.
    assert found["expected_accuracy"] == 0.6
    assert found["expected"]["guessed"] == 2
    found.write(tmp_path / "p.jsonl")
    rows = [orjson.loads(line) for line in (tmp_path / "p.jsonl").read_bytes().splitlines()]
    assert [row.get("guesses") for row in rows] == [None, None, None, ["A", "B"], ["A", "B"]]
    for given in (found, tmp_path / "p.jsonl"):
        scored = recombine.score(*asked, given, on="answer", by="template")
        assert (scored["accuracy"], scored["expected_accuracy"]) == (found["accuracy"], 0.6)
        means = {each["group"]: each["expected"]["accuracy"] for each in scored["by"]["template"]}
        assert means == {"VERIFY": 0.5, "COUNT": 1.0, "CHOOSE": 0.5}


def test_draws_are_decided_by_seed_and_id(asked: tuple[Dataset, Split]) -> None:
    trained = MajorityParser(True, 0).fit(list(asked[0]), None)
    queries = [question(f"x{n}", "CHOOSE", "red").query for n in range(200)]
    drawn = trained.predict(queries, None)
    assert trained.predict(queries[::-1], None)[::-1] == drawn
    assert 70 < drawn.count("A") < 130
    trained.seed = 1
    assert trained.predict(queries, None) != drawn


def test_answers_are_never_looked_at_in_predicting(asked: tuple[Dataset, Split]) -> None:
    trained = MajorityParser(True, 0).fit(list(asked[0]), None)
    both = [question("x", "VERIFY", answer).query for answer in (True, False)]
    assert trained.predict(both, None) == ["true", "true"]


def test_a_template_that_train_lacks_is_answered_by_all(asked: tuple[Dataset, Split]) -> None:
    trained = MajorityParser(True, 0).fit(list(asked[0]), None)
    assert trained.predict([question("x", "NEW", 1).query], None) == [trained.overall]


def test_targets_where_there_are_no_answers() -> None:
    data = recombine.load([("a", "JUMP"), ("b", "RUN"), ("c", "RUN"), ("d", "RUN")], language="actions")
    found = recombine.predict(recombine.train(data, model="maj"), data, "all")
    assert (found["exact_match"], found.words) == (0.75, {})


def test_kept_and_found_again(asked: tuple[Dataset, Split], tmp_path: Path) -> None:
    trained = recombine.train(*asked, model="maj-template", seed=4)
    trained.write(tmp_path / "model")
    again = recombine.predict(tmp_path / "model", *asked)
    assert again.outputs == recombine.predict(trained, *asked).outputs
    assert "|model:maj-template|on:answer|model_seed:4|" in trained.signature
    record = orjson.loads((tmp_path / "model" / "model.json").read_bytes())
    (tmp_path / "model" / "model.json").write_bytes(orjson.dumps({**record, "templates": 3}))
    with pytest.raises(InputFileError, match="does not say the most frequent answers"):
        recombine.predict(tmp_path / "model", *asked)


def test_what_is_missing_is_said(asked: tuple[Dataset, Split]) -> None:
    data = recombine.load([("a", "JUMP"), ("b", "RUN")], language="actions")
    with pytest.raises(OptionError, match="maj-template needs the field 'template'"):
        recombine.train(data, model="maj-template")
    rows = [*asked[0], Example("z", "?", "count ( find ( cap ) )", context={"template": "COUNT"})]
    with pytest.raises(RecordError, match="example z: has no 'answer'"):
        MajorityParser(False).fit(rows, None)
    with pytest.raises(Exception, match="steps"):
        recombine.train(data, model="maj", steps=3)


def test_a_study_does_not_take_answers_for_programs(asked: tuple[Dataset, Split], tmp_path: Path) -> None:
    cell = TaskCell("one", (0, 1), (2,), 0)
    family, preset = find_model("maj")
    assert family is FAMILY
    settings = family.settings(preset, {})
    task = Task("t", preset, settings, list(asked[0]), (cell,), tmp_path)
    assert "the study compares outputs with programs" in family.train_cells(task)[0].error
    plain = [Example("a", "jump", "JUMP"), Example("b", "run", "JUMP"), Example("c", "walk", "WALK")]
    outcome = family.train_cells(Task("t", preset, settings, plain, (cell,), tmp_path))[0]
    assert (outcome.error, outcome.outputs) == ("", ("JUMP",))


def test_the_command_shows_what_is_expected(
    asked: tuple[Dataset, Split], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, split = asked
    rows = [{"id": e.id, "source": e.source, "target": e.target, **e.context} for e in data]
    (tmp_path / "q.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    read = recombine.load(tmp_path / "q.jsonl")
    own = Split(split.parts, read.name, read.hash, split.signature, reading=read.reading)
    own.write(tmp_path / "s.json")
    recombine.train(read, own, model="maj-template").write(tmp_path / "model")
    with pytest.raises(SystemExit) as ended:
        run(["predict", *(str(tmp_path / name) for name in ("model", "q.jsonl", "s.json"))])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert "expected" in out
    assert "0.600" in out
