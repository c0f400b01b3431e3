"""`recombine kb link`: a text, a data set with gold, training a tagger, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import RecombineError

FACTS = """Jaws|directed_by|Steven Spielberg
Duel|directed_by|Steven Spielberg
Jaws|release_year|1975
Duel|about|film
"""
TOPICS = ("Jaws", "Duel")
PATTERNS = ("who directed [{}]", "which film is like [{}]", "when was [{}] made", "is [{}] a good film")


def questions() -> list[dict[str, Any]]:
    return [
        {"id": f"{topic}{number}", "source": text.format(topic), "target": "…", "topic": topic}
        for topic in TOPICS
        for number, text in enumerate(PATTERNS)
    ]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with an index and questions."""
    monkeypatch.chdir(tmp_path)
    Path("films.txt").write_text(FACTS)
    recombine.kb_build("films.txt", "films")
    Path("asked.jsonl").write_text("".join(json.dumps(row) + "\n" for row in questions()))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["kb", "link", *words])
    out = capsys.readouterr()
    assert ended.value.code == code, out.err
    return out.out, out.err


@pytest.mark.usefixtures("here")
def test_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = "Did steven spielberg make Jaws after 03/29/1975?"
    out, _ = printed(capsys, text, "--kb", "films")
    assert out.splitlines()[:3] == [
        "  steven spielberg  entity  Steven Spielberg",
        "  Jaws  entity  Jaws",
        '  03/29/1975  literal  "1975-03-29"^^xsd:date, "1975-03-29"^^xsd:dateTime',
    ]
    assert out.splitlines()[-1] == "3 mentions in 1 question"
    said = json.loads(printed(capsys, text, "--kb", "films", "--no-literals", "--json")[0])
    assert [link["linked"] for link in said["links"][0]["links"]] == [["Steven Spielberg"], ["Jaws"], ["1975"]]
    assert said["links"][0]["links"][1]["candidates"] == [{"term": "Jaws", "score": 1.0}]
    assert said["dictionary"] == {"surface_forms": 5, "entities": 5, "shared": 0, "unusable": 0}


@pytest.mark.usefixtures("here")
def test_a_data_set_and_its_gold(capsys: pytest.CaptureFixture[str]) -> None:
    # Each of 8 questions has its topic; in 4 of them "film" is an entity of the facts, and not gold.
    out, _ = printed(capsys, "--data", "asked.jsonl", "--kb", "films", "--gold")
    lines = out.splitlines()
    assert lines[0] == "entities: 8 gold, 12 linked, 8 right"
    assert lines[2:4] == [
        "gold entities among the candidates: 8",
        "questions linked to exactly their gold entities: 4 of 8",
    ]
    assert lines[-1] == "12 mentions in 8 questions: recall 100.0%, precision 66.7%, F1 80.0%"
    out, _ = printed(capsys, "--data", "asked.jsonl", "--kb", "films", "-o", "links.jsonl", "--json")
    rows = [json.loads(line) for line in Path("links.jsonl").read_text().splitlines()]
    assert json.loads(out)["links"] == rows
    assert (rows[0]["id"], rows[0]["question"]) == ("Jaws0", "who directed Jaws"), "brackets give nothing away"


@pytest.mark.usefixtures("here")
def test_a_tagger_is_trained_on_the_train_part_alone(capsys: pytest.CaptureFixture[str]) -> None:
    data = recombine.load("asked.jsonl")
    split = recombine.split(data, by="random", train=4, test=4, seed=1)
    split.write("split.json")
    common = ("--data", "asked.jsonl", "--kb", "films", "--split", "split.json")
    out, _ = printed(capsys, *common, "--fit", "tagger.npz")
    assert out == "tagger.npz: a tagger trained on 4 questions with 4 mentions\n"
    content = Path("tagger.npz").read_bytes()
    known = {row["id"]: row for row in questions()}
    recombine.kb_link(data=[known[key] for key in split.train], kb="films", fit="alone.npz")
    assert Path("alone.npz").read_bytes() == content
    out, _ = printed(capsys, *common, "--mentions", "tagger", "--tagger", "tagger.npz", "--gold", "--json")
    said = json.loads(out)
    assert {row["id"] for row in said["links"]} == set(split.test)
    assert said["scores"]["entities"]["gold"] == 4
    assert said["found_by"] == "tagger"
    other = recombine.kb_link(data="asked.jsonl", kb="films", split="split.json", part="train")
    assert {row["id"] for row in other["links"]} == set(split.train)


@pytest.mark.usefixtures("here")
def test_names_from_a_file_shared_by_several(capsys: pytest.CaptureFixture[str]) -> None:
    Path("names.tsv").write_text("mo\tm.01\t9\nMo\tm.02\t9\nmo\tm.03\t1\n")
    out, _ = printed(capsys, "what of mo?", "--names", "names.tsv", "--profile", "freebase")
    assert out.splitlines() == [
        "  mo  entity  m.01, m.02, and 1 candidate more",
        "mentions linked to several entities that fit equally: 1",
        "dictionary: 3 entities under 1 surface forms, 1 of them shared",
        "1 mention in 1 question",
    ]
    data = [
        {"id": "1", "source": "is mo old?", "target": "(JOIN (R a.b) m.02)"},
        {"id": "2", "source": " ", "target": "("},
    ]
    said = recombine.kb_link(data=data, names="names.tsv", language="sexpression", gold=True)
    assert said["scores"]["entities"] == {
        "gold": 1,
        "linked": 2,
        "right": 1,
        "recall": 1.0,
        "precision": 0.5,
        "f1": 2 / 3,
    }
    assert (said["empty"], list(said["unreadable"])) == (["2"], ["2"])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"kb": "films"}, "a text or data is to be linked, and not both"),
        ({"text": "x", "data": "asked.jsonl", "kb": "films"}, "a text or data is to be linked, and not both"),
        ({"text": "x", "kb": "films", "gold": True}, "gold, a split and training are for data"),
        ({"text": "x"}, "no names to link to; give --kb PLACE, or --names FILE with surface forms"),
        ({"text": " ", "kb": "films"}, "an empty text mentions nothing; give a question"),
        ({"text": "x", "kb": "films", "mentions": "tagger"}, "mentions by a tagger need one"),
        ({"text": "x", "kb": "films", "tagger": "films.txt"}, "a tagger, and mentions by dictionary"),
        ({"text": "x", "kb": "films", "mentions": "tagger", "tagger": "films.txt"}, "films.txt: is no saved tagger"),
        ({"data": "asked.jsonl", "kb": "films", "part": "train"}, "the part 'train' of no split"),
        ({"data": [("who", "x")], "kb": "films", "gold": True}, "records: no question says what it mentions"),
        ({"data": "asked.jsonl", "kb": "films", "fit": "no/t.npz"}, "the directory no does not exist"),
        ({"text": "x", "kb": "ids.nt", "profile": "freebase"}, "no entity has a name"),
    ],
)
def test_what_is_refused(options: dict[str, Any], problem: str) -> None:
    base = "http://rdf.freebase.com/ns/"
    Path("ids.nt").write_text(f"<{base}m.01> <{base}film.film.sequel> <{base}m.02> .\n")
    with pytest.raises(RecombineError) as caught:
        recombine.kb_link(**options)
    assert problem in str(caught.value)


@pytest.mark.shared_data
def test_grailqa_by_the_names_in_its_items(tmp_path: Path) -> None:
    # All names stand verbatim in the questions, 5 of 635 not as whole words ("ininternational system of units").
    queries: list[Any] = [example.tags["graph_query"] for example in recombine.load("grailqa")]
    nodes = [node for query in queries for node in query["nodes"] if node["node_type"] == "entity"]
    names = [f"{node['friendly_name']}\t{node['id']}\n" for node in nodes]
    (tmp_path / "names.tsv").write_text("".join(names), encoding="utf-8")
    scores = recombine.kb_link(data="grailqa", names=tmp_path / "names.tsv", profile="freebase", gold=True)["scores"]
    assert (scores["questions"], scores["without_gold"], scores["unplaced"]) == (600, 7, 5)
    assert scores["entities"]["recall"] > 0.98
    assert scores["literals"] == {"gold": 10, "linked": 10, "right": 10, "recall": 1.0, "precision": 1.0, "f1": 1.0}
