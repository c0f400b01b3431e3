from __future__ import annotations

from pathlib import Path

import orjson
import pytest

import recombine
from recombine.datasets.published.qald import QALD
from recombine.errors import RecordError


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "count", "ids", "kb"),
    [
        ("qald/9", 150, ["qald-9-plus/99", "qald-9-plus/102", "qald-9-plus/179"], "dbpedia"),
        ("qald/10", 394, ["qald-10/0", "qald-10/197", "qald-10/393"], "wikidata"),
    ],
)
def test_count_first_middle_last(name: str, count: int, ids: list[str], kb: str, data_dir: Path) -> None:
    data = recombine.load(name)
    assert len(data) == count
    assert [data[row].id for row in (0, count // 2, count - 1)] == ids
    assert {e.tags["kb"] for e in data} == {kb}
    assert data.language is not None
    assert data.language.name == "sparql11"
    assert {data.language.parse(e.target).label for e in data} == {"ask", "select", "select_distinct"}


@pytest.mark.shared_data
def test_answers_are_lists_of_texts_or_one_truth(data_dir: Path) -> None:
    data = recombine.load("qald/10")
    assert data["qald-10/50"].tags["answers"] == [True]
    answers = [answer for example in data for answer in example.tags["answers"]]  # type: ignore[union-attr]
    assert {type(answer) for answer in answers} == {str, bool}


def test_each_set_has_its_own_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "kb").mkdir()
    sets = ("qald-10", "qald-9-plus test", "qald-10")
    rows = [{"id": str(n), "set": part, "question": f"q{n}", "sparql": "ASK {}"} for n, part in enumerate(sets)]
    file = tmp_path / "kb" / "qald.jsonl"
    file.write_bytes(b"\n".join(map(orjson.dumps, rows)))
    assert [[e.id for e in qald.load()] for qald in QALD] == [["1"], ["0", "2"]]
    file.write_bytes(orjson.dumps({"id": "0", "question": "q"}))
    with pytest.raises(RecordError, match="line 1: no field 'set'"):
        QALD[0].load()
