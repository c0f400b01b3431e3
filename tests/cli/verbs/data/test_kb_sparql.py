"""`recombine kb query` in SPARQL: a table or an object on standard output, and an error with its place."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import orjson
import pytest
from broken_endpoint import endpoint

import recombine
from recombine.cli.main import run
from recombine.errors import AnswerError, OptionError

FILMS = (
    "Jaws\tdirected_by\tSpielberg\nDuel\tdirected_by\tSpielberg\n[REC]\tdirected_by\tBalagueró\nJaws\tgenre\tThriller\n"
)
PREFIX = "PREFIX : <http://example.org/> "
DIRECTED = (
    PREFIX + "SELECT ?film ?genre { ?film :directed_by :Spielberg OPTIONAL { ?film :genre ?genre } } ORDER BY ?film"
)


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "cache"))
    Path("films.tsv").write_text(FILMS, encoding="utf-8")
    recombine.kb_build("films.tsv", "films")


def asked(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit code of `kb query`, and what it prints."""
    with pytest.raises(SystemExit) as ended:
        run(["kb", "query", *arguments])
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out, printed.err


@pytest.mark.parametrize("place", ["films", "films.tsv"])
def test_a_table(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = asked(place, DIRECTED, capsys=capsys)
    assert code == 0
    assert [line.split() for line in out.splitlines() if line.strip()] == [
        ["?film", "?genre"],
        ["─" * 16],
        ["Duel", "–"],
        ["Jaws", "Thriller"],
    ]
    assert "2 rows" in err
    assert max(map(len, out.splitlines())) <= 100


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = asked("films", DIRECTED, "--json", "--limit", "1", capsys=capsys)
    assert code == 0
    value = orjson.loads(out)
    assert value == {
        "count": 2,
        "shown": 1,
        "variables": ["film", "genre"],
        "rows": [["Duel", None]],
        "digest": recombine.kb_info("films").digest,
    }
    assert recombine.kb_query("films", DIRECTED, limit=1).to_dict() == value


def test_a_long_cell_is_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 250
    Path("long.tsv").write_text(f"{name}\tis\t{name}\n")
    _, out, _ = asked("long.tsv", "SELECT * { ?s ?p ?o }", capsys=capsys)
    assert out.count("x") == 500
    assert max(map(len, out.splitlines())) <= 100


def test_ask_count_file_and_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    query = PREFIX + "ASK { :Jaws :genre :Thriller }"
    assert asked("films", query, capsys=capsys)[1] == "yes\n"
    assert orjson.loads(asked("films", query.replace("Jaws", "Duel"), "--json", capsys=capsys)[1])["answer"] is False
    Path("query.rq").write_text(DIRECTED)
    assert asked("films", "--sparql", "query.rq", "--count", capsys=capsys)[1] == "2\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(DIRECTED))
    assert asked("films", "--sparql", "-", "--count", capsys=capsys)[1] == "2\n"


def test_hops_on_a_file_and_sparql_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    by_hops = asked("films.tsv", "--from", "Jaws", "--path", "directed_by / ^directed_by", capsys=capsys)[1]
    query = PREFIX + "SELECT DISTINCT ?x { :Jaws :directed_by/^:directed_by ?x }"
    by_sparql = orjson.loads(asked("films.tsv", query, "--json", capsys=capsys)[1])["rows"]
    assert sorted(by_hops.split()) == sorted(row[0] for row in by_sparql) == ["Duel", "Jaws"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["films", "SELECT ?x {\n  rdf:a rdf:b }"], "the query, line 2, column 15: SPARQL does not go on with '}'"),
        (["films", "SELECT ?x { ?x not:known ?y }"], "a prefix is not declared"),
        (["films", "--sparql", "missing.rq"], "missing.rq: no such file"),
        (["films"], "nothing is asked"),
        (["films", DIRECTED, "--from", "Jaws", "--path", "genre"], "two things at once"),
        (["films", DIRECTED, "--sparql", "query.rq"], "two queries"),
        (["films", DIRECTED, "--page", "5"], "page is for an endpoint"),
        (["films", DIRECTED, "--time-out", "0"], "time-out of 0 s"),
        (["films", DIRECTED, "--limit", "-1"], "a limit of -1"),
        (["nowhere", DIRECTED], "nowhere: no such file or folder"),
    ],
)
def test_mistakes(arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = asked(*arguments, capsys=capsys)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_a_cut_answer_of_an_endpoint(capsys: pytest.CaptureFixture[str]) -> None:
    whole = (
        b'{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://example.org/a"}}]}}'
    )
    with endpoint(lambda handler, _: handler.answer(whole, X_SPARQL_MaxRows="1")) as server:
        code, out, err = asked(server.address, "SELECT ?x { ?x ?y ?z }", "--json", capsys=capsys)
        assert (code, out) == (2, "")
        assert "cuts answers at 1 rows" in err
        server.behaviour = lambda handler, _: handler.answer(whole)
        code, out, err = asked(
            server.address, "SELECT ?x { ?x ?y ?z }", "--graph", "http://g/", "--json", capsys=capsys
        )
        assert orjson.loads(out)["rows"] == [["a"]]
        assert server.asked[-1]["default-graph-uri"] == "http://g/"
        with pytest.raises(AnswerError, match="larger than 50 bytes"):
            recombine.kb_query(server.address, "SELECT ?a { ?x ?y ?a }", max_answer="50")
        with pytest.raises(OptionError):
            recombine.kb_query(server.address, "SELECT ?a { ?x ?y ?a }", max_answer="many")


def test_no_cache_asks_anew(capsys: pytest.CaptureFixture[str]) -> None:
    with endpoint(lambda handler, _: handler.answer(b'{"head": {}, "boolean": true}')) as server:
        for _ in range(2):
            asked(server.address, "ASK {}", capsys=capsys)
        assert len(server.asked) == 1
        asked(server.address, "ASK {}", "--no-cache", capsys=capsys)
        assert len(server.asked) == 2
        recombine.cache_clear()
        asked(server.address, "ASK {}", capsys=capsys)
        assert len(server.asked) == 3
