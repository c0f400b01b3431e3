"""`recombine kb convert`: what it reads, writes, counts and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputWarning, RecordError, UnknownNameError

XSD = "http://www.w3.org/2001/XMLSchema#"
NS = "http://rdf.freebase.com/ns/"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "none"))


def write(*records: Any, name: str = "forms.jsonl") -> str:
    Path(name).write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return name


def lines(name: str = "out.jsonl") -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in Path(name).read_bytes().splitlines()]


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["kb", "convert", *words])
    out = capsys.readouterr()
    assert ended.value.code == code, out.err
    return out.out, out.err


TEXT = "(AND film.film (JOIN film.film.director m.0d))"


def test_there_and_back_by_files(capsys: pytest.CaptureFixture[str]) -> None:
    write({"qid": 7, "s_expression": TEXT, "graph_query": "not looked at"})
    out, err = printed(capsys, "forms.jsonl", "--from", "sexpression", "--to", "graph", "-o", "graph.jsonl")
    assert (out, err) == ("1 of 1 forms converted from sexpression to graph\n", "")
    assert list(lines("graph.jsonl")[0]) == ["id", "form", "losses"]
    printed(capsys, "graph.jsonl", "--from", "graph", "--to", "sparql", "--semantics", "grailqa", "-o", "sparql.jsonl")
    row = lines("sparql.jsonl")[0]
    assert (row["id"], row["semantics"]) == (7, "grailqa")
    out, err = printed(capsys, "sparql.jsonl", "--from", "sparql", "--to", "sexpression", "-o", "out.jsonl")
    assert lines() == [{"id": 7, "form": TEXT, "losses": [], "semantics": "grailqa"}]
    assert "without an ontology" in err


def test_a_record_says_its_semantics(capsys: pytest.CaptureFixture[str]) -> None:
    write({"id": "a", "form": TEXT, "semantics": "grailqa"}, {"id": "b", "form": TEXT})
    printed(capsys, "forms.jsonl", "--from", "sexpression", "--to", "sparql", "-o", "out.jsonl")
    one, other = lines()
    assert "!=" in one["form"]
    assert one["semantics"] == "grailqa"
    assert "!=" not in other["form"]
    assert "semantics" not in other
    printed(capsys, "forms.jsonl", "--from", "sexpression", "--to", "graph", "-o", "out.jsonl")
    assert [row.get("semantics") for row in lines()] == ["grailqa", None]


def test_malformed_and_unsupported_are_counted_apart(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        {"id": 1, "form": TEXT},
        {"id": 2, "form": "(AND film.film"},
        {"id": 3, "form": "(COUNT (ARGMAX film.film r))"},
        {"id": 4, "form": None, "error": "an error of before"},
        {"id": 5, "form": "(" * 10_000},
        {"id": 6, "form": "(R r)"},
    )
    out, _ = printed(capsys, "forms.jsonl", "--from", "sexpression", "--to", "graph", "-o", "out.jsonl", "--json")
    values = json.loads(out)
    assert {key: values[key] for key in ("forms", "converted", "malformed", "unsupported")} == {
        "forms": 6,
        "converted": 1,
        "malformed": 4,
        "unsupported": 1,
    }
    assert sum(values["reasons"].values()) == 5
    assert [row.get("outcome") for row in lines()] == [
        None,
        "malformed",
        "unsupported",
        "malformed",
        "malformed",
        "malformed",
    ]
    assert lines()[1] == {
        "id": 2,
        "form": None,
        "error": "S-expression program, column 1: a bracket that is not closed; close it",
        "outcome": "malformed",
    }
    assert "two functions, COUNT and ARGMAX" in lines()[2]["error"]
    shown, _ = printed(capsys, "forms.jsonl", "--from", "sexpression", "--to", "graph", "-o", "out.jsonl")
    assert shown.splitlines()[0] == ("1 of 6 forms converted from sexpression to graph, 4 malformed, 1 unsupported")


def test_a_very_long_line_is_a_counted_case() -> None:
    write({"id": 1, "form": "(AND " + "x" * 20_000_000}, {"id": 2, "form": "SELECT " + " " * 20_000_000})
    for notation in ("sexpression", "sparql"):
        values = recombine.kb_convert("forms.jsonl", from_=notation, to="graph").to_dict()
        assert values["malformed"] == 2
        assert max(map(len, values["reasons"])) < 200


def test_losses_are_named_by_their_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    query = (
        f"SELECT ?x {{ ?x a <{NS}film.film> ; <{NS}film.film.director> ?d . ?d a <{NS}film.director> ; "
        f"<{NS}people.person.born_in> <{NS}m.0c> }}"
    )
    write({"qid": 1, "sparql_query": query})
    with pytest.warns(InputWarning, match="without an ontology"):
        result = recombine.kb_convert("forms.jsonl", from_="sparql", to="sexpression")
    assert result["losses"] == {"class in the middle, perhaps implied": 1}
    assert result["with_losses"] == 1
    kept = recombine.kb_convert("forms.jsonl", from_="sparql", to="sexpression", keep_classes=True)
    assert kept["losses"] == {}
    assert kept.rows[0]["form"] == (
        "(AND film.film (JOIN film.film.director (AND film.director (JOIN people.person.born_in m.0c))))"
    )
    out, _ = printed(capsys, "forms.jsonl", "--from", "sparql", "--to", "sexpression")
    assert out.splitlines()[1].startswith("    lost: the node 1 in the middle is of class film.director")


def test_an_ontology_tells_implied_classes(tmp_path: Path) -> None:
    folder = tmp_path / "ontology"
    folder.mkdir()
    (folder / "fb_roles").write_text("film.film film.film.director film.director\n")
    (folder / "fb_types").write_text("film.film meta.subclassOf common.topic .\n")
    (folder / "reverse_properties").write_text("film.film.director\tfilm.director.films\n")
    graph = recombine.kb_convert(
        write({"id": 1, "form": "(AND film.film (JOIN film.film.director (AND film.director (JOIN r m.0c))))"}),
        from_="sexpression",
        to="graph",
    )
    graph.write("graph.jsonl")
    done = recombine.kb_convert("graph.jsonl", from_="graph", to="sexpression", ontology=folder)
    assert (done["losses"], done["ontology"]) == ({}, str(folder))
    text = Path("graph.jsonl").read_text()
    Path("graph.jsonl").write_text(text.replace('"id":"film.director"', '"id":"film.star"'))
    done = recombine.kb_convert("graph.jsonl", from_="graph", to="sexpression", ontology=folder)
    assert done.rows[0]["losses"] == [
        "the node 1 in the middle is of class film.star, which a relation there may imply (r is not in the ontology)"
    ]
    Path("graph.jsonl").write_text(Path("graph.jsonl").read_text().replace('"r"', '"film.director.films"'))
    done = recombine.kb_convert("graph.jsonl", from_="graph", to="sexpression", ontology=folder)
    assert done["losses"] == {"class in the middle": 1}
    assert done.rows[0]["losses"] == ["the node 1 in the middle is of class film.star, which no relation there implies"]


def test_leniencies_are_counted() -> None:
    write(
        {"id": 1, "sparql": "SELECT COUNT(?x) { ?x ns:r ns:m.0d }"},
        {"id": 2, "sparql": "SELECT ?x { ?x ns:r ns:m.0d }"},
    )
    done = recombine.kb_convert("forms.jsonl", from_="sparql", to="graph")
    assert done["leniencies"]["bare_count"] == 1
    assert done["converted"] == 2


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"s_expression": TEXT}, "forms.jsonl, line 1: it has no qid and no id"),
        ({"id": 1, "sparql_query": TEXT}, "forms.jsonl, line 1: it has no field s_expression, form, target"),
        ({"id": 1, "form": TEXT, "semantics": "bags"}, "forms.jsonl, line 1: its semantics is 'bags'"),
        ([1], "forms.jsonl, line 1: is not a JSON object"),
    ],
)
def test_bad_records(record: Any, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        recombine.kb_convert(write(record), from_="sexpression", to="graph")
    assert message in str(caught.value)


def test_unknown_names(capsys: pytest.CaptureFixture[str]) -> None:
    write({"id": 1, "form": TEXT})
    with pytest.raises(UnknownNameError, match="unknown notation 'sexpr'"):
        recombine.kb_convert("forms.jsonl", from_="sexpr", to="graph")
    with pytest.raises(UnknownNameError, match="unknown semantics 'set'"):
        recombine.kb_convert("forms.jsonl", from_="graph", to="sparql", semantics="set")
    _, err = printed(capsys, "forms.jsonl", "--from", "sexpression", "--to", "tree", code=2)
    assert "unknown notation 'tree'" in err
    _, err = printed(capsys, "forms.jsonl", "--from", "sexpression", "--to", "graph", "-o", "none/out", code=2)
    assert "none/out" in err


def test_other_profiles(capsys: pytest.CaptureFixture[str]) -> None:
    write({"id": 1, "sparql": "SELECT ?x { ?x wdt:P31 wd:Q5 ; wdt:P19 wd:Q64 }"})
    words = ("--from", "sparql", "--to", "sexpression", "--profile", "wikidata", "-q")
    out, _ = printed(capsys, "forms.jsonl", *words)
    assert out.splitlines()[0] == "1  (AND Q5 (JOIN wdt:P19 Q64))"


def test_keep_writes_a_data_set_of_what_has_a_form(capsys: pytest.CaptureFixture[str]) -> None:
    ask = f"ASK {{ <{NS}m.0d> <{NS}film.director.film> ?x }}"
    query = f"SELECT DISTINCT ?x WHERE {{ ?x <{NS}film.film.director> <{NS}m.0d> }}"
    write(
        {"id": "a", "question": "what did she direct?", "sparql_query": query, "answers": ["m.0f"]},
        {"id": "b", "question": "did she direct?", "sparql_query": ask},
    )
    options = ("--from", "sparql", "--to", "sexpression", "--keep")
    out, _ = printed(capsys, "forms.jsonl", *options, "-o", "out.jsonl")
    assert out.startswith("1 of 2 forms converted from sparql to sexpression, 1 unsupported\n")
    assert [(row["id"], row["target"], row["answers"]) for row in lines()] == [
        ("a", "(JOIN film.film.director m.0d)", ["m.0f"])
    ]
    data = recombine.load("out.jsonl", source="question", language="sexpression")
    assert [(each.source, each.target) for each in data] == [("what did she direct?", "(JOIN film.film.director m.0d)")]
    shown, _ = printed(capsys, "forms.jsonl", *options)
    assert shown.splitlines()[0] == "a  (JOIN film.film.director m.0d)"
    assert shown.splitlines()[1].startswith("b  – ")


def test_a_release_is_read_by_its_own_fields(capsys: pytest.CaptureFixture[str]) -> None:
    query = f"SELECT DISTINCT ?x WHERE {{ ?x <{NS}film.film.director> <{NS}m.0d> FILTER (?x != <{NS}m.0d>) }}"
    parse = {"ParseId": "P0", "Sparql": query, "TopicEntityMid": "m.0d", "TopicEntityName": None, "Answers": []}
    item = {"QuestionId": "Toy-1", "RawQuestion": "what did she direct?", "Parses": [parse]}
    Path("WebQSP.toy.json").write_bytes(orjson.dumps({"Questions": [item]}))
    options = ("--from", "sparql", "--to", "sexpression")
    printed(capsys, "WebQSP.toy.json", *options, "-o", "out.jsonl")
    assert [(row["id"], row["form"]) for row in lines()] == [("Toy-1", "(JOIN film.film.director m.0d)")]
    printed(capsys, "WebQSP.toy.json", *options, "--keep", "-o", "out.jsonl")
    data = recombine.load("out.jsonl", language="sexpression")
    assert (data[0].id, data[0].source, data[0].tags["topic"]) == ("Toy-1", "what did she direct?", "m.0d")
