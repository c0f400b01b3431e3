"""`recombine kb candidates`: forms, words and recall as they are printed, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_questions import write_ontology

import recombine
from recombine.cli.main import run
from recombine.errors import KnowledgeBaseError, OptionError, RecordError, UnknownNameError

FILMS = "Jaws|directed_by|Ann\nDuel|directed_by|Ann\nDuel|type|Film\nJaws|type|Show\nAnn|label|Ann\n"
ASKED = [
    {"id": "1", "source": "films of Ann", "target": "(JOIN directed_by Ann)"},
    {"id": "2", "source": "by the same", "target": "(COUNT (JOIN directed_by (JOIN (R directed_by) Jaws)))"},
    {"id": "3", "source": "real films", "target": "(AND Film (JOIN directed_by Ann))"},
    {"id": "4", "source": "both", "target": "(AND (JOIN directed_by Ann) (JOIN directed_by Bo))"},
]


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("films.txt").write_text(FILMS)
    recombine.kb_build("films.txt", "films")
    Path("asked.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ASKED))
    return "films"


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["kb", "candidates", *words])
    out = capsys.readouterr()
    assert ended.value.code == code, out.err
    return out.out, out.err


def test_forms_of_an_entity(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = printed(capsys, index, "--entity", "Jaws", "--no-count")
    assert out.splitlines() == ["(JOIN (R directed_by) Jaws)", "(JOIN directed_by (JOIN (R directed_by) Jaws))"]
    assert err.splitlines() == ["2 candidates", "candidates(hops=2)"]
    out, err = printed(capsys, index, "--entity", "Jaws", "--limit", "1", "--beyond", "classes")
    assert out.splitlines() == ["(JOIN (R directed_by) Jaws)"]
    assert err.splitlines() == ["8 candidates, 1 shown", "candidates(hops=2,count,classes)"]
    said = json.loads(printed(capsys, "films.txt", "--entity", "Ann", "--hops", "1", "--json")[0])
    assert said["candidates"] == ["(JOIN directed_by Ann)", "(COUNT (JOIN directed_by Ann))"]
    assert (said["count"], said["shown"], said["notes"]) == (2, 2, [])
    # Film is in facts that say classes alone.
    out, err = printed(capsys, index, "--entity", "Film")
    assert (out, err.splitlines()[0]) == ("", "no path starts from Film: its facts say names and classes alone")


def test_words(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = printed(capsys, index, "--entity", "Jaws", "--vocabulary")
    assert out.splitlines()[:2] == ["(", ")"]
    assert out.splitlines()[-4:] == ["Jaws", "directed_by", "Film", "Show"]
    assert err.splitlines()[0] == "16 words: 1 relations, 2 classes"
    said = recombine.kb_candidates(index, vocabulary=True).to_dict()
    assert (said["pruned"], said["relations"], said["classes"]) == (False, 1, 2)


def test_recall_of_a_data_set(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = (index, "--data", "asked.jsonl", "--language", "sexpression")
    out, _ = printed(capsys, *words)
    assert out.splitlines()[:5] == [
        "2 of 4 forms are among the candidates (50.0%)",
        "           1  not covered: a class",
        "           1  not covered: several branches",
        "by answers 50.0%; candidates: median 4, most 4; links: gold",
        "1 link is to nothing that has a fact, or to no entity",
    ]
    said = json.loads(printed(capsys, *words, "--beyond", "classes", "--json")[0])
    assert (said["covered"], said["recall"]) == (3, 0.75)
    assert said["not_covered"] == {"4": "several branches"}
    Path("links.jsonl").write_text('{"id": "1", "entities": ["Jaws"]}\n{"id": "2", "entities": ["Jaws", "Ann"]}\n')
    said = json.loads(printed(capsys, *words, "--links", "links.jsonl", "--json")[0])
    assert (said["covered"], said["nothing_linked"], said["links"]) == (1, 2, "links.jsonl")
    assert said["not_covered"] == {"1": "not linked", "3": "not linked", "4": "several branches"}


def test_a_form_that_cannot_be_read_is_counted(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [*ASKED[:1], {"id": "5", "source": "half", "target": "(JOIN directed_by (LT"}]
    Path("half.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = json.loads(printed(capsys, index, "--data", "half.jsonl", "--json")[0])
    assert (said["questions"], said["covered"], said["outcomes"]) == (2, 1, {"covered": 1, "unreadable": 1})
    assert list(said["unreadable"]) == ["5"]
    Path("none.jsonl").write_text(json.dumps(rows[1]) + "\n")
    with pytest.raises(OptionError, match="no form can be read; 5"):
        recombine.kb_candidates(index, data="none.jsonl")


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({}, OptionError, "no entity to start from; give --entity NAME, --data DATA, or what needs no entity"),
        ({"entity": "Jawz"}, KnowledgeBaseError, "no fact has the entity Jawz; check its spelling; beside it"),
        ({"entity": "Jaws", "data": "asked.jsonl"}, OptionError, "a data set, and options for one question"),
        ({"entity": "Jaws", "links": "links.jsonl"}, OptionError, "links without a data set"),
        ({"entity": "Jaws", "limit": -1}, OptionError, "a limit of -1"),
        ({"entity": "Jaws", "hops": 3}, OptionError, "3 hops"),
        ({"entity": "Jaws", "beyond": "class"}, UnknownNameError, "classes"),
    ],
)
def test_what_is_refused(index: str, options: dict[str, object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        recombine.kb_candidates(index, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"id": "1", "entities": "Jaws"}', "line 1.*has no list of names"),
        ('{"id": "9", "entities": ["Jaws"]}', "line 1.*the data has no question '9'"),
        ('{"id": "1", "entities": []}\n{"id": "1", "entities": []}', "line 2.*is there before"),
        ('{"id": "1", "entit', "line 1.*broken JSON"),
    ],
)
def test_links_that_are_none(index: str, line: str, says: str) -> None:
    Path("links.jsonl").write_text(line + "\n")
    with pytest.raises(RecordError, match=says):
        recombine.kb_candidates(index, data="asked.jsonl", language="sexpression", links="links.jsonl")


def test_a_question_without_an_entity_has_superlatives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ttl").write_text("@prefix : <http://example.org/> . :a a :C ; :age 5 .")
    said = recombine.kb_candidates("a.ttl", beyond="superlatives").to_dict()
    assert said["candidates"] == ["(ARGMAX C age)", "(ARGMIN C age)"]


def test_classes_are_implied_as_the_facts_state_and_else_as_the_commons_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Names are Freebase's, and the data directory has an ontology, which knows `boats` and nothing of `kites`.
    write_ontology(tmp_path / "grailqa" / "ontology", domains=4)
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    stated = (
        "m.01|kites.kite.flown_by|m.02\nm.01|type.object.type|kites.kite\nm.03|type.object.type|kites.kite\n"
        "kites.kite.flown_by|type.property.schema|kites.kite\n"
        "kites.kite.flown_by|type.property.expected_type|kites.flyer\n"
    )
    asked = {"kites": "(AND kites.kite (JOIN kites.kite.flown_by m.02))"}
    asked["boats"] = "(AND boats.thing (JOIN boats.thing.maker m.05))"
    asked["narrow"] = "(AND boats.small_thing (JOIN boats.thing.maker m.05))"
    rows = [json.dumps({"id": key, "source": key, "target": text}) + "\n" for key, text in asked.items()]
    Path("asked.jsonl").write_text("".join(rows))
    boats = "m.04|boats.thing.maker|m.05\nm.04|type.object.type|boats.small_thing\n"
    outcomes = {}
    for name, facts in (("alone", stated), ("both", stated + boats)):
        Path(f"{name}.txt").write_text(facts)
        recombine.kb_build(f"{name}.txt", name, profile="freebase")
        result = recombine.kb_candidates(name, data="asked.jsonl", language="sexpression")
        outcomes[name] = result.report.outcomes  # type: ignore[union-attr]
    assert outcomes["alone"] == {"kites": "covered", "boats": "not linked", "narrow": "not linked"}
    assert outcomes["both"] == {"kites": "covered", "boats": "covered", "narrow": "a class"}
    # A folder that is named is the ontology, whatever the facts state.
    result = recombine.kb_candidates("both", data="asked.jsonl", ontology="grailqa/ontology")
    assert result.report.outcomes == {"kites": "a class", "boats": "covered", "narrow": "a class"}  # type: ignore[union-attr]
