"""`recombine kb tasks` and `kb answers`: from forms to judged paraphrases."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from graph_queries import entity, graph, thing

import recombine
from recombine.errors import RecombineError
from recombine.kb.forms.write_graph import write_graph
from recombine.kb.profiles.find_profile import find_profile


def _lines(path: Path) -> list[dict[str, object]]:
    return [orjson.loads(line) for line in path.read_text().splitlines()]


def test_from_forms_to_judgements(tmp_path: Path) -> None:
    query = graph([thing("film.film"), entity("Jaws")], (1, "film.film.sequel", 0))
    record = {"qid": 7, "graph_query": write_graph(query, find_profile("plain")), "answer": ["Jaws 2"]}
    forms = tmp_path / "forms.jsonl"
    forms.write_bytes(orjson.dumps(record) + b"\n")
    for task in ("form", "canonical"):
        (line,) = recombine.kb_tasks(forms, task=task, profile="plain").lines
        assert (line.item, line.show["questions"][0]) == (f"{task}/7", "which film is the sequel of [Jaws]?")
    sent = tmp_path / "sent.jsonl"
    made = recombine.kb_tasks(forms, task="paraphrase", number=2, profile="plain")
    made.write(sent)
    assert [row["item"] for row in _lines(sent)] == ["paraphrase/7/1", "paraphrase/7/2"]
    shown = {"question": "which film is the sequel of [Jaws]?", "answers": ["Jaws 2"], "answer_type": "film"}
    assert made.lines[0].show == {**shown, "graph_query": record["graph_query"]}
    back = tmp_path / "back.jsonl"
    texts = ["what film followed [Jaws]?", "what film followed it?"]
    rows = [{"item": f"paraphrase/7/{n}", "author": "ann", "answer": text} for n, text in enumerate(texts, 1)]
    back.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
    answers = recombine.kb_answers(sent, [back])
    assert (answers["taken"], answers["dropped"], answers["open"]) == (1, {"altered brackets": 1}, 1)
    taken = tmp_path / "taken.jsonl"
    answers.write(taken)
    judged = recombine.kb_tasks(taken, task="judgement", number=4).lines
    assert [line.parent for line in judged] == ["paraphrase/7/1"] * 4
    assert len({line.item for line in judged}) == 4
    assert judged[0].author == "ann"
    assert judged[0].show == {"canonical": shown["question"], "question": "what film followed [Jaws]?"}


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        ("{}", {"task": "sing"}, "unknown task 'sing'"),
        ("{}", {"task": "form"}, "line 1: has no qid or id"),
        ("{}", {"task": "surface_forms"}, "line 1: has no entity"),
        ('{"task": "paraphrase"}', {"task": "judgement"}, "line 1: is no answered paraphrase"),
        ("{}", {"task": "judgement", "number": 0}, "ask one person at least"),
    ],
)
def test_what_no_task_can_be_made_of(tmp_path: Path, text: str, options: dict[str, object], problem: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(text)
    with pytest.raises(RecombineError, match=problem):
        recombine.kb_tasks(path, **options)  # type: ignore[arg-type]
