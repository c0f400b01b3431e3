"""Work for people: what goes out, what comes back, and what is dropped of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from graph_queries import entity, graph, thing

from recombine.errors import InputFileError, RecordError
from recombine.kb.forms.read_graph import read_graph
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.tasks.make_tasks import (
    canonical_task,
    form_task,
    judgement_task,
    paraphrase_task,
    surface_forms_task,
    write_tasks,
)
from recombine.kb.tasks.read_tasks import TasksRead, read_sent, read_tasks
from recombine.kb.tasks.task_line import TaskLine
from recombine.kb.wording.wordings import Wordings

QUERY = graph([thing("film.film"), entity("Jaws")], (1, "film.film.sequel", 0))
PLAIN = find_profile("plain")
SENT = [
    form_task("q1", QUERY, Wordings(), PLAIN),
    canonical_task("q1", QUERY, Wordings(), PLAIN),
    paraphrase_task("q1", "what is the sequel of [Jaws]?", number=1),
    paraphrase_task("q1", "what is the sequel of [Jaws]?", number=2),
    judgement_task("paraphrase/q1/1", "what is the sequel of [Jaws]?", "which film followed [Jaws]?", author="ann"),
    surface_forms_task("m.1", "Jaws", [("The Shark", 1), ("Jaws", 8)]),
]


def _read(folder: Path, *files: list[dict[str, Any] | str]) -> TasksRead:
    paths = []
    for number, lines in enumerate(files):
        paths.append(folder / f"{number}.jsonl")
        texts = [line if isinstance(line, str) else orjson.dumps(line).decode() for line in lines]
        paths[-1].write_text("\n".join(texts))
    return read_tasks({line.item: line for line in SENT}, paths)


def _answer(item: str, answer: Any, author: str = "ann") -> dict[str, Any]:
    return {"item": item, "author": author, "answer": answer}


JUDGED = {"same_meaning": True, "natural": False}
GOOD: list[dict[str, Any] | str] = [
    _answer("judgement/paraphrase/q1/1/1", JUDGED, "bob"),  # before what it is about
    _answer("form/q1", True),
    _answer("canonical/q1", "what is the  sequel of [Jaws]?"),
    _answer("paraphrase/q1/1", "which film followed [Jaws]?"),
    _answer("paraphrase/q1/2", "[Jaws] was continued by what film?", "bob"),
    _answer("surface_forms/m.1", ["Jaws"]),
]


def test_what_goes_out_comes_back(tmp_path: Path) -> None:
    assert write_tasks(SENT, tmp_path / "sent.jsonl") == 6
    sent = read_sent(tmp_path / "sent.jsonl")
    assert list(sent.values()) == SENT
    shown = sent["canonical/q1"].show
    assert read_graph(shown["graph_query"], PLAIN) == QUERY
    assert shown["questions"][0] == "which film is the sequel of [Jaws]?"
    assert [line.parent for line in SENT[:4]] == ["", "form/q1", "canonical/q1", "canonical/q1"]


def test_good_answers_are_taken(tmp_path: Path) -> None:
    read = _read(tmp_path, GOOD)
    assert read.dropped == {}
    assert {each.line.item for each in read.answers} == {line.item for line in SENT}
    assert (
        next(each for each in read.answers if each.line.task == "canonical").answer == "what is the sequel of [Jaws]?"
    )
    assert read.not_judged == ("canonical/q1", "paraphrase/q1/2")
    assert read.open_items == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"item": "form/q1", "author": "an', "broken line"),
        ("[1, 2]", "without item, author or answer"),
        ({"item": "form/q1", "answer": True}, "without item, author or answer"),
        ({"item": "form/q1", "author": "ann"}, "without item, author or answer"),
        (_answer("form/q9", True), "unknown item"),
        (_answer("form/q1", True) | {"task": "judgement"}, "another task than the item's"),
        (_answer("form/q1", "yes"), "answer of another kind than was asked"),
        (_answer("paraphrase/q1/1", "  "), "answer of another kind than was asked"),
        (_answer("surface_forms/m.1", ["Moby"]), "answer of another kind than was asked"),
        (_answer("paraphrase/q1/1", "which film followed Jaws?"), "altered brackets"),
        (_answer("paraphrase/q1/1", "which film followed [jaws]?"), "altered brackets"),
        (_answer("paraphrase/q1/1", "which film followed [Jaws?"), "altered brackets"),
        (_answer("paraphrase/q1/1", "which [film] followed [Jaws]?"), "altered brackets"),
        (_answer("canonical/q1", "which film followed?"), "altered brackets"),
        (_answer("paraphrase/q1/1", "What is the sequel of [Jaws] ?"), "text that is there already"),
        (_answer("judgement/paraphrase/q1/1/1", JUDGED, "bob"), "judgement of what was not taken"),
        (_answer("judgement/paraphrase/q1/1/1", JUDGED, "ann"), "judgement of one's own work"),
        (_answer("judgement/paraphrase/q1/1/1", {"natural": True}, "bob"), "answer of another kind than was asked"),
    ],
)
def test_what_is_wrong_is_dropped_and_counted(tmp_path: Path, line: dict[str, Any] | str, reason: str) -> None:
    alone = _read(tmp_path, [line])
    assert (alone.answers, alone.dropped) == ((), {reason: 1})
    assert alone.first_dropped[reason].endswith("0.jsonl, line 1")
    if reason != "judgement of what was not taken":  # which is right once that was
        beside = _read(tmp_path, [*GOOD, line])
        assert sum(beside.dropped.values()) == 1
        assert len(beside.answers) == len(GOOD)


def test_who_wrote_a_text_does_not_judge_it_though_the_line_does_not_say_who_did(tmp_path: Path) -> None:
    sent = [*SENT[:2], judgement_task("canonical/q1", "which film is the sequel of [Jaws]?", "what followed [Jaws]?")]
    path = tmp_path / "back.jsonl"
    written = _answer("canonical/q1", "what followed [Jaws]?", "ann")
    judged = [_answer("judgement/canonical/q1/1", JUDGED, author) for author in ("ann", "bob")]
    path.write_bytes(b"\n".join(orjson.dumps(row) for row in (written, *judged)))
    read = read_tasks({line.item: line for line in sent}, [path])
    assert read.dropped == {"judgement of one's own work": 1}
    assert [each.author for each in read.answers] == ["ann", "bob"]
    assert read.not_judged == ()


def test_earlier_work_is_kept(tmp_path: Path) -> None:
    again: list[dict[str, Any] | str] = [
        _answer("form/q1", False),
        _answer("paraphrase/q1/2", "Which film followed [Jaws]", "cid"),
    ]
    read = _read(tmp_path, GOOD, again)
    assert read.dropped == {"second answer of one author": 1, "text that is there already": 1}
    assert next(each for each in read.answers if each.line.task == "form").answer is True
    read.write(tmp_path / "kept.jsonl")
    kept = read_tasks({line.item: line for line in SENT}, [tmp_path / "kept.jsonl"])
    assert kept.answers == read.answers
    assert kept.dropped == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "holds no task"),
        ('{"item": "a"}\n', "has no 'task'"),
        ('{"item": "a", "task": "sing", "parent": "", "author": "", "show": {}, "ask": ""}\n', "'sing' is no task"),
        ('{"item": "a"', "broken JSON"),
    ],
)
def test_a_file_that_did_not_go_out(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "sent.jsonl"
    path.write_text(text)
    with pytest.raises((InputFileError, RecordError), match=problem):
        read_sent(path)
    twice = TaskLine("a", "form", "", "", {}, "")
    write_tasks([twice, twice], path)
    with pytest.raises(RecordError, match="stands there twice"):
        read_sent(path)
