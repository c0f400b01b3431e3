"""The page of a study: set-ups from its splits by property, shared sizes, M, what was not run, and regions drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.errors import RecombineError, RecordError
from recombine.models.task import CellOutcome
from recombine.pages.generalization.region_scores import read_region_scores
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.results import store_outcome

STUDY = """
name = "held"
description = "Held & out"
match = "answer"

[[data]]
file = "q.jsonl"
language = "scenes"
measure = false

[[split]]
name = "count"
by = "property"
held_out = "tpl:COUNT"
models = ["looks"]

[[split]]
name = "count-again"
by = "property"
held_out = "tpl:COUNT"
few_shot = [10, 40]
models = ["looks"]

[[split]]
name = "query"
by = "property"
held_out = "tpl:QUERYATTR"
few_shot = 90
models = ["looks"]

[[split]]
name = "none"
by = "property"
held_out = "tpl:COUNT & arg:n0,n110"
models = ["looks"]

[[split]]
name = "iid"
published = "published"
models = ["looks", "reads"]

[[split]]
name = "iid-size"
published = "published"
train_sizes = [198]
models = ["looks"]

[[model]]
name = "looks"
preset = "maj-template"

[[model]]
name = "reads"
preset = "maj"

[generalization]
model = "looks"
text = "reads"
note = "Not the paper's <pictures>."
"""
RIGHT = {"count": 20, "count-again,few_shot=10": 10, "count-again,few_shot=40": 30, "iid-size,train=198": 40, "iid": 45}
"""Of the 50 questions of COUNT in test, how many a cell has right: the first ones."""


def rows() -> list[dict[str, Any]]:
    """200 questions of two templates for training, 20 for dev, 100 for testing."""
    made = []
    for place in range(160):
        part = "train" if place < 100 else "dev" if place < 110 else "test"
        fields = {"images": [f"s{place}"], "part": part, "answer": 2}
        count = {"template": "COUNT", "source": f"How many n{place}?", "target": f"count ( find ( n{place} ) )"}
        query = {
            "template": "QUERYATTR",
            "source": f"What is n{place}?",
            "target": f"query_attr [ color ] ( find ( n{place} ) )",
        }
        made += [{"id": f"{kind['template']}-{place}", **kind, **fields} for kind in (count, query)]
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp("held")
    (place / "q.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows()))
    fields = ["template", "images", "answer", "part"]
    (place / "q.jsonl.meta.json").write_bytes(orjson.dumps({"context": fields, "identity": ["images"]}))
    (place / "study.toml").write_text(STUDY)
    plan = make_plan(place / "study.toml")
    store(plan, "looks/count/0", "looks/count-again,few_shot=10/0", "looks/count-again,few_shot=40/0")
    store(plan, "looks/iid/0", "looks/iid-size,train=198/0", "reads/iid/0")
    return place


def store(plan: Plan, *names: str) -> None:
    """Store cells with as many right answers to COUNT as `RIGHT` says; the text-only model has 10, and no other."""
    for cell in plan.cells:
        if cell.name not in names or cell.split is None:
            continue
        right = 10 if cell.model.name == "reads" else RIGHT[cell.recipe.name]
        outputs = []
        for key in cell.split.part("test"):
            template, _, place = key.partition("-")
            outputs.append("2" if template == "COUNT" and int(place) - 110 < right else "5")
        store_outcome(plan.results, cell, plan.datasets["q"], CellOutcome(tuple(outputs), seconds=30.0))


def test_a_setup_without_a_model_of_its_size_says_so(folder: Path) -> None:
    setups = {row["name"]: row for row in recombine.generalization_page(folder / "study.toml").to_dict()["setups"]}
    # 100 questions of the other template: 198 is no size near it.
    assert setups["tpl:COUNT"]["not_run"] == "no i.i.d. model of its size is in the study"
    # 190 of 200, which differ from 198 by 4 %; its own model is missing too.
    assert setups["tpl:QUERYATTR"]["not_run"] == "no i.i.d. model of its size is in the study"


def test_what_was_not_run_says_how_long_it_takes(folder: Path) -> None:
    setups = {row["name"]: row for row in recombine.generalization_page(folder / "study.toml").to_dict()["setups"]}
    # Train lacks one question of 200 and shares the model of 198; its own is missing, and cells took 30 s.
    assert setups["tpl:COUNT & arg:n0,n110"]["not_run"] == "1 model, about 30 s"


def test_a_shared_size_is_named_and_makes_the_score(folder: Path, tmp_path: Path) -> None:
    text = STUDY.replace("train_sizes = [198]", "train_sizes = [101]")
    (folder / "near.toml").write_text(text)
    plan = make_plan(folder / "near.toml", tmp_path / "near")
    RIGHT["iid-size,train=101"] = 40
    store(plan, "looks/count/0", "looks/iid/0", "looks/iid-size,train=101/0", "reads/iid/0")
    made = recombine.generalization_page(folder / "near.toml", results=tmp_path / "near").to_dict()
    count = next(row for row in made["setups"] if row["name"] == "tpl:COUNT")
    # 20, 10 and 40 of 50: (0.4 - 0.2) / (0.8 - 0.2)
    assert count["generalization_score"] == pytest.approx(1 / 3)
    assert (count["model"], count["text"], count["iid"], count["iid_all"], count["n"]) == (0.4, 0.2, 0.8, 0.9, 50)
    assert count["size_matched_from"] == "a model of 101 examples, which differs by 1.0%"
    assert count["train"] == 100


def test_m_goes_up_to_all(folder: Path) -> None:
    [effect] = recombine.generalization_page(folder / "study.toml").to_dict()["effects"]
    assert effect == {"name": "tpl:COUNT", "points": [[10, 0.2, 50], [40, 0.6, 50], [100, 0.9, 50]]}


def test_the_page_says_what_it_is_of(folder: Path) -> None:
    page = recombine.generalization_page(folder / "study.toml").page.decode()
    assert "<h1>Held &amp; out</h1>" in page
    assert "Not the paper&#39;s &lt;pictures&gt;." in page
    assert "1 model, about 30 s" in page
    assert "M = 100: 90.0 % of 50" in page


def test_a_study_that_does_not_say_is_refused(folder: Path) -> None:
    (folder / "silent.toml").write_text(STUDY.partition("[generalization]")[0])
    with pytest.raises(RecombineError, match=r"has no \[generalization\]"):
        recombine.generalization_page(folder / "silent.toml")
    (folder / "wrong.toml").write_text(STUDY.replace('text = "reads"', 'text = "raeds"'))
    with pytest.raises(RecombineError, match=r"unknown model in \[generalization\] 'raeds'; did you mean 'reads'"):
        recombine.generalization_page(folder / "wrong.toml")
    (folder / "apart.toml").write_text(STUDY.replace('models = ["looks", "reads"]', 'models = ["looks"]'))
    with pytest.raises(RecombineError, match="reads is trained on no split of the data's own parts"):
        recombine.generalization_page(folder / "apart.toml")


def test_region_scores_are_read_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    good = {"id": "a", "about": "what cap means", "images": {"s1": [[0, 0.25, 0.5, 1, 0.9]]}}
    path.write_bytes(orjson.dumps(good) + b"\n")
    assert read_region_scores(path) == {"a": {"about": "what cap means", "images": {"s1": [[0, 0.25, 0.5, 1, 0.9]]}}}
    assert read_region_scores(None) == {}
    for images in ({"s1": [[0, 0, 1, 1]]}, {"s1": [[0, 0, 1, 1, 1.5]]}, {"s1": 3}, None):
        path.write_bytes(orjson.dumps({**good, "images": images}) + b"\n")
        with pytest.raises(RecordError, match="line 1"):
            read_region_scores(path)
