"""`recombine kb query --form`: the answers of a logical form, whatever its notation."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import FormError, KnowledgeBaseError, OptionError, ProgramError, UnknownNameError

TURTLE = """@prefix : <http://example.org/> .
:Jaws a :Film ; :by :Spielberg ; :made 1975 . :Duel a :Film ; :by :Spielberg ; :made 1971 .
:Alien a :Film ; :made 1979 .
"""
GRAPH = {
    "nodes": [
        {"nid": 0, "node_type": "class", "id": "Film", "class": "Film", "question_node": 1, "function": "none"},
        {"nid": 1, "node_type": "entity", "id": "Spielberg", "class": "", "question_node": 0, "function": "none"},
    ],
    "edges": [{"start": 0, "end": 1, "relation": "by"}],
}


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("films.ttl").write_text(TURTLE)
    recombine.kb_build("films.ttl", "films")


def answers(form: str, place: str = "films") -> list[str]:
    """What a form's answers are shown as."""
    found: list[str] = recombine.kb_query(place, form=form).to_dict()["answers"]
    return found


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("(AND Film (JOIN by Spielberg))", ["Duel", "Jaws"]),
        (orjson.dumps(GRAPH).decode(), ["Duel", "Jaws"]),
        ("SELECT ?x { ?x <http://example.org/by> ?y }", ["Duel", "Jaws"]),
        ("ASK { ?x <http://example.org/by> ?y }", ['"true"^^xsd:boolean']),
        ("(ARGMAX Film made)", ["Alien"]),
        ("(COUNT (gt made 1971))", ['"2"^^xsd:integer']),
    ],
)
def test_answers(form: str, wanted: list[str]) -> None:
    assert answers(form) == wanted


def test_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for words, wanted in (([], "Duel\nJaws\n"), (["--limit", "1"], "Duel\n"), (["--count"], "2\n")):
        with pytest.raises(SystemExit) as ended:
            run(["kb", "query", "films", "--form", "(JOIN by Spielberg)", *words])
        assert (ended.value.code or 0, capsys.readouterr().out) == (0, wanted)
    with pytest.raises(SystemExit):
        run(["kb", "query", "films", "--form", "(JOIN by Spielberg)", "--json"])
    assert orjson.loads(capsys.readouterr().out)["answers"] == ["Duel", "Jaws"]


@pytest.mark.parametrize(
    ("form", "error", "message"),
    [
        ("(AND Film", ProgramError, "not closed"),
        ('{"nodes": [', ProgramError, "is no JSON"),
        ("SELECT ?x {", ProgramError, "SPARQL"),
        ("(JOIN bye Spielberg)", UnknownNameError, "unknown relation in films 'bye'; did you mean 'by'"),
        ("(JOIN by Speilberg)", KnowledgeBaseError, "no fact has Speilberg"),
        ("(JOIN by (ARGMAX Flim made))", KnowledgeBaseError, "no fact has Flim"),
        ("(lt made soon)", ProgramError, "no literal"),
        ("SELECT ?x ?y { ?x ?y ?z }", FormError, "2 columns"),
    ],
)
def test_mistakes(form: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        answers(form)


def test_one_thing_is_asked() -> None:
    for asked in ({"form": "Film", "from_": "Jaws"}, {"form": "Film", "query": "ASK {}"}, {}, {"path": "by"}):
        with pytest.raises(OptionError, match="nothing is asked, or two things at once"):
            recombine.kb_query("films", **asked)
