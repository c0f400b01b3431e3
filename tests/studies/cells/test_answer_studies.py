"""Studies that compare answers: what is learned, how cells are scored, the models of a split, what dev decides."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.errors import InputFileError
from recombine.models.family import Family
from recombine.models.known import MODELS, register_model
from recombine.models.task import CellOutcome, Task
from recombine.pages.study.study_page import render_study
from recombine.studies.cells.cell_key import cell_key
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.read_record import read_record
from recombine.studies.running.run_study import run_study
from recombine.studies.tables.summary import metric_title, read_results

NOUNS = ("cap", "dog", "boy", "cup", "car", "bed")
STUDY = """
name = "asked"
match = "answer"

[[data]]
file = "q.jsonl"
language = "scenes"
measure = false

[[split]]
name = "count"
by = "property"
held_out = "tpl:COUNT"
models = ["maj"]

[[split]]
name = "iid"
published = "published"

[[model]]
preset = "maj"

[[model]]
preset = "maj-template"
"""


def rows() -> list[dict[str, Any]]:
    """Of each noun a count and a truth: all counts are 2 but for the last, and all truths false."""
    made = []
    for place, noun in enumerate(NOUNS):
        part = "train" if place < 3 else "dev" if place == 3 else "test"
        number = 2 if place < 5 else 3
        fields = {"images": [f"s{place}"], "part": part}
        for template, answer, text, name in (
            ("COUNT", number, "How many", "count"),
            ("TRUTH", False, "Is there a", "exists"),
        ):
            texts = {"source": f"{text} {noun}?", "target": f"{name} ( find ( {noun} ) )"}
            made.append({"id": f"{template}-{noun}", "template": template, "answer": answer, **texts, **fields})
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "q.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows()))
    fields = ["template", "images", "answer", "part"]
    (tmp_path / "q.jsonl.meta.json").write_bytes(orjson.dumps({"context": fields, "identity": ["images"]}))
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def plan_of(folder: Path, text: str = STUDY, results: str = "results") -> Plan:
    (folder / "study.toml").write_text(text)
    return make_plan(folder / "study.toml", folder / results)


def test_answers_are_learned_and_compared(folder: Path) -> None:
    plan = plan_of(folder)
    ran = run_study(plan)
    accuracy = {result.cell.name: result.accuracy for result in read_results(plan)}
    # Train of `count` has truths alone, so that its answer to counts is false; of `iid` the counts 2 and the truths
    # false are as frequent, and the first by name is taken: 2 is right for one of two counts, and for no truth.
    assert accuracy == {"maj/count/0": 0.0, "maj/iid/0": 25.0, "maj-template/iid/0": 75.0}
    assert {record["match"] for record in ran.records} == {"answer"}
    record = read_record(plan.results / f"{plan.cells[1].key}.json")
    assert record["score"]["accuracy"] == 0.25
    assert record["score"]["pair_accuracy"] is None
    assert metric_title(plan.study) == "right answers, %"


def test_the_page_says_what_is_compared_and_nothing_of_models_that_a_split_is_not_for(folder: Path) -> None:
    plan = plan_of(folder)
    page = render_study(plan, read_results(plan)).decode()
    assert "Right answers in percent: mean over replicates and splits" in page
    assert "Exact match in percent" not in page
    waiting = '<td>–<span class="note">0 cells, 1 to do</span></td>'
    count, iid = (line for line in re.findall(r"<tr>.*?</tr>", page, re.DOTALL) if waiting in line)
    assert (count.count(waiting), iid.count(waiting)) == (1, 2)
    assert "<td>–</td>" in count.split(waiting)[1]


def test_a_split_is_for_the_models_that_it_names(folder: Path) -> None:
    assert [cell.name for cell in plan_of(folder).cells] == ["maj/count/0", "maj/iid/0", "maj-template/iid/0"]
    with pytest.raises(InputFileError, match=r"unknown model of \[\[split\]\] number 1 'mja'; did you mean 'maj'"):
        plan_of(folder, STUDY.replace('models = ["maj"]', 'models = ["mja"]'))


def test_whether_answers_are_compared_decides_the_key(folder: Path) -> None:
    answers = {cell.name: cell.key for cell in plan_of(folder).cells}
    targets = {cell.name: cell.key for cell in plan_of(folder, STUDY.replace('match = "answer"', "")).cells}
    assert answers.keys() == targets.keys()
    assert not set(answers.values()) & set(targets.values())


def test_who_sees_texts_alone_learns_answers(folder: Path) -> None:
    seen: list[Task] = []

    def run_task(task: Task) -> list[CellOutcome]:
        seen.append(task)
        return [CellOutcome(tuple("2" for _ in cell.test)) for cell in task.cells]

    register_model(Family(name="only-texts", make=lambda *_: None, run_task=run_task))
    try:
        text = STUDY.replace('preset = "maj-template"', 'preset = "only-texts"')
        plan = plan_of(folder, text)
        run_study(plan)
    finally:
        MODELS._things.pop("only-texts")
    [task] = seen
    assert task.match == "answer"
    assert task.pairs()[:2] == [("How many cap?", "2"), ("Is there a cap?", "false")]
    assert [cell.dev for cell in task.cells] == [()]


def test_dev_decides_where_training_looks_at_it(folder: Path) -> None:
    seen: list[Task] = []

    def run_task(task: Task) -> list[CellOutcome]:
        seen.append(task)
        return [CellOutcome(tuple("2" for _ in cell.test)) for cell in task.cells]

    family = Family(name="looks", make=lambda *_: None, run_task=run_task, stops_on_dev=True, texts_alone=False)
    register_model(family)
    try:
        text = STUDY.replace('preset = "maj"', 'name = "maj"\npreset = "looks"')
        plan = plan_of(folder, text)
        run_study(plan)
        before = {cell.name: cell.key for cell in plan.cells}
        # The data is the same but for the part of a question of dev: another dev, and the same train and test.
        fewer = [{**row, "part": "spare"} if row["id"] == "TRUTH-cup" else row for row in rows()]
        (folder / "q.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in fewer))
        held = text.partition("[[split]]")[2].partition("[[split]]")[0]
        other = plan_of(folder, text.replace(f"[[split]]{held}", ""), "other")
        after = {cell.name: cell for cell in other.cells}
    finally:
        MODELS._things.pop("looks")
    rows_of = {cell.name: cell.dev for task in seen for cell in task.cells}
    assert rows_of == {"maj/count/0": (7,), "maj/iid/0": (6, 7)}
    iid = after["maj/iid/0"]
    assert iid.split is not None
    assert {part: len(ids) for part, ids in iid.split.parts.items()}["dev"] == 1
    assert iid.key != before["maj/iid/0"]


def test_two_splits_that_differ_in_dev_alone_have_two_keys_where_dev_is_looked_at(folder: Path) -> None:
    split = plan_of(folder).cells[1].split
    assert split is not None
    other = replace(split, parts={**split.parts, "dev": split.parts["dev"][:1]})
    for looks in (True, False):
        keys = {cell_key(each, "test", data={}, revision=1, model={}, stops_on_dev=looks) for each in (split, other)}
        assert len(keys) == 1 + looks
