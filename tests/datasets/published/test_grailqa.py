from __future__ import annotations

from collections import Counter
from pathlib import Path

import orjson
import pytest

import recombine
from recombine.datasets.published import grailqa
from recombine.errors import RecordError


@pytest.mark.shared_data
def test_count_first_middle_last(data_dir: Path) -> None:
    data = recombine.load("grailqa")
    assert [data[row].id for row in (0, 300, 599)] == ["2102899001000", "3201651005000", "2102120010000"]
    first = data[0]
    assert first.target == (
        "(AND sports.tournament_event_competition (JOIN sports.tournament_event_competition.tournament m.0gkybzv))"
    )
    assert first.tags["answers"] == ["m.0glnsz9", "m.0gls4l0", "m.0glq1l8", "m.0gls_88"]
    assert first.tags["graph_query"]["edges"][0]["start"] == 0  # type: ignore[index,call-overload]
    assert set(first.tags) >= {"qid", "sparql_query", "level", "domains", "topic_entity", "answer", "function"}
    levels = Counter(example.tags["level"] for example in data)
    assert levels == {"zero-shot": 341, "i.i.d.": 138, "compositional": 121}


@pytest.mark.shared_data
def test_every_program_is_read(data_dir: Path) -> None:
    data = recombine.load("grailqa")
    assert data.language is not None
    assert all(data.language.parse(example.target).children for example in data)


def test_small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "grailqa").mkdir()
    item = {
        "qid": 7,
        "question": "which kite is red?",
        "s_expression": "(AND toys.kite (JOIN toys.kite.colour m.0red))",
        "graph_query": {"nodes": [], "edges": []},
        "answer": [{"answer_type": "Entity", "answer_argument": "m.0kite"}],
    }
    file = tmp_path / "grailqa" / "items.jsonl"
    file.write_bytes(orjson.dumps(item))
    data = grailqa.load()
    assert (data[0].id, data[0].tags["qid"], data[0].tags["answers"]) == ("7", 7, ["m.0kite"])
    file.write_bytes(orjson.dumps({**item, "answer": [{"answer_type": "Entity"}]}))
    with pytest.raises(RecordError, match="line 1: an answer in 'answer' is not an object with 'answer_argument'"):
        grailqa.load()
