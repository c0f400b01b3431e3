"""Label Studio's files: a configuration and tasks out, an export of the form that 1.23.2 writes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import orjson
import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.exchange.label_studio.label_studio_tasks import label_studio_tasks
from recombine.annotation.exchange.label_studio.labelling_config import labelling_config
from recombine.annotation.exchange.label_studio.read_label_studio import read_label_studio
from recombine.annotation.tasks.read_flow import read_flow
from recombine.errors import InputFileError, RecordError


@pytest.mark.parametrize("flow", ["grailqa", "covr", "audit"])
def test_every_task_has_a_configuration(flow: str) -> None:
    for task in read_flow(flow).task:
        root = ElementTree.fromstring(labelling_config(task))  # noqa: S314
        names = [each.get("name") for each in root.iter() if each.get("name")]
        assert names == [*(f"show_{part.name}" for part in task.show), *(field.name for field in task.ask)]
        about = {each.get("toName") for each in root.iter() if each.get("toName")}
        assert about == {f"show_{task.show[0].name}"}


def test_options_of_an_item_are_data(new_campaign: Callable[..., Campaign]) -> None:
    campaign = new_campaign()
    show = {"name": 'New "York"', "names": ["nyc", "<b>"]}
    campaign.add_items([{"item": "s", "task": "surface_forms", "show": show}])
    (project,) = label_studio_tasks(campaign)
    assert 'choice="multiple" value="$options_names"' in project.config
    data = project.tasks[0]["data"]
    assert data["show_name"] == 'New "York"'
    assert data["options_names"] == [{"value": "nyc"}, {"value": "<b>"}]


def test_trees_and_lists_go_out_as_lines(new_campaign: Callable[..., Campaign]) -> None:
    campaign = new_campaign()
    tree = {"label": "count", "children": [{"label": "film"}]}
    campaign.add_items([{"item": "f", "task": "form", "show": {"graph_query": tree, "questions": ["a?", "b?"]}}])
    data = label_studio_tasks(campaign)[0].tasks[0]["data"]
    assert (data["show_graph_query"], data["show_questions"]) == ("count\n  film", "a?\nb?")


def exported(item: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    return {"id": 1, "data": {"item": item}, "annotations": list(annotations), "predictions": []}


def annotation(who: Any, **values: Any) -> dict[str, Any]:
    result = [
        {"from_name": name, "to_name": "show_canonical", "type": next(iter(value)), "value": value}
        for name, value in values.items()
    ]
    return {"completed_by": who, "result": result, "was_cancelled": False, "lead_time": 7.5}


def test_an_export_becomes_rows(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    skipped = {**annotation(1), "was_cancelled": True}
    yes = {"choices": ["yes"]}
    tasks = [
        exported("c1", annotation(1, same=yes, fluent={"choices": ["no"]}), skipped),
        exported("p1", annotation({"id": 2, "email": "a@b.org"}, paraphrase={"text": ["who wrote it?"]})),
        exported("s1", annotation(3, names={"choices": ["nyc", "ny"]}), annotation(4)),
    ]
    path.write_bytes(orjson.dumps(tasks))
    known = {"c1": "check", "p1": "paraphrase", "s1": "surface_forms"}
    read = read_label_studio(path, read_flow("grailqa"), known)
    assert read.skipped == 1
    assert [(row["item"], row["worker"], row["answer"]) for row in read.rows] == [
        ("c1", "label-studio:1", {"same": "yes", "fluent": "no"}),
        ("p1", "label-studio:a@b.org", {"paraphrase": "who wrote it?"}),
        ("s1", "label-studio:3", {"names": ["nyc", "ny"]}),
        ("s1", "label-studio:4", {"names": []}),
    ]


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("no json", InputFileError, "not JSON"),
        ("{}", InputFileError, "no list of tasks"),
        ('[{"data": {}}]', RecordError, "task 1: has no data.item"),
        (
            '[{"data": {"item": "c"}, "annotations": [{"result": [{"from_name": "box", "type": "rectanglelabels", '
            '"value": {"x": 1}}]}]}]',
            RecordError,
            "type 'rectanglelabels'",
        ),
    ],
)
def test_what_is_no_export_is_named(text: str, error: type[Exception], says: str, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(text)
    with pytest.raises(error, match=says):
        read_label_studio(path, read_flow("grailqa"), {"c": "check"})
