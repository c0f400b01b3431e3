"""Items of data: what is shown, what is kept unseen, and which examples are drawn."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

import recombine
from recombine.annotation.exchange.items_of_data import items_of_data
from recombine.annotation.exchange.read_items import read_items
from recombine.annotation.tasks.read_flow import read_flow
from recombine.errors import InputFileError, OptionError, RecordError

PAIRS = [("how many dogs", "count ( find ( dog ) )"), ("is there a cat", "exists ( find ( cat ) )")]


def test_an_item_shows_what_its_task_shows_and_keeps_the_target() -> None:
    data = recombine.load(PAIRS, language="covr")
    first = items_of_data(data, read_flow("covr"), "paraphrase")[0]
    key = data[0].id
    assert first["item"] == f"{key}/paraphrase"
    assert first["show"] == {"question": "how many dogs"}
    # By hand: the name of a thing is the only detail of this program.
    template = "count ( find ( ENTITY ) )"
    kept = {"target": "count ( find ( dog ) )", "example": key, "language": "covr", "template": template}
    assert first["keep"] == {**kept, "data": str(data)}


def test_an_audit_shows_the_program_and_its_tree() -> None:
    data = recombine.load(PAIRS, language="covr")
    show = items_of_data(data, read_flow("audit"), "audit")[1]["show"]
    assert show["target"] == "exists ( find ( cat ) )"
    assert show["tree"] == {"label": "exists", "children": [{"label": "find", "children": [{"label": "cat"}]}]}


def test_a_template_of_the_data_is_not_made_anew() -> None:
    records = [{"source": "a", "target": "count ( find ( dog ) )", "template": "T1", "other": 1}]
    line = items_of_data(recombine.load(records, language="covr"), read_flow("covr"), "paraphrase")[0]
    assert line["keep"]["template"] == "T1"
    assert "other" not in line["show"]


def test_drawing_is_by_seed_and_in_order() -> None:
    data = recombine.load([(f"q{n}", "exists ( find ( cat ) )") for n in range(50)], language="covr")
    flow = read_flow("covr")
    drawn = [
        [line["keep"]["example"] for line in items_of_data(data, flow, "paraphrase", n=9, seed=s)] for s in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) == 9
    assert drawn[0] == sorted(drawn[0], key=data.position)
    with pytest.raises(OptionError, match="cannot draw 51 of the 50 examples"):
        items_of_data(data, flow, "paraphrase", n=51)


def test_data_without_a_part_is_refused() -> None:
    with pytest.raises(OptionError, match="has no 'pictures', which the task validate shows"):
        items_of_data(recombine.load(PAIRS, language="covr"), read_flow("covr"), "validate")


def test_lines_of_other_verbs_are_read(tmp_path: Path) -> None:
    graph = {"nodes": [{"nid": 0}], "edges": []}
    lines = [
        {"item": "j", "task": "judgement", "parent": "p", "author": "", "show": {"canonical": "a", "question": "b"}},
        {"item": "p", "task": "paraphrase", "show": {"question": "q", "graph_query": graph}, "ask": "…"},
        {"item": "k", "task": "paraphrase", "show": {"question": "q", "graph_query": graph}, "keep": {"target": "t"}},
    ]
    path = tmp_path / "items.jsonl"
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    read = read_items(path)
    assert [line["task"] for line in read] == ["check", "paraphrase", "paraphrase"]
    assert [line["keep"].get("target") for line in read] == [None, '{"edges":[],"nodes":[{"nid":0}]}', "t"]
    path.write_text('{"item": "a", "task": "check"}\n')
    with pytest.raises(RecordError, match="line 1"):
        read_items(path)
    path.write_text("")
    with pytest.raises(InputFileError, match="holds no item"):
        read_items(path)
