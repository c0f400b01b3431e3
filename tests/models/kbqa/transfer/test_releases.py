"""GraphQuestions and WebQSP (GrailQA, sections 4.4 and 5.5): from a file of a release and a store to answers.

No file of a release is here: the items and the facts are our own, in the forms that the releases have.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.errors import InputWarning
from recombine.kb.profiles.find_profile import find_profile
from recombine.models.kbqa.sexpression_targets import sexpression_targets
from recombine.records.example import Example

NS = "http://rdf.freebase.com/ns/"
FACTS = "".join(
    f"<{NS}m.0k{kite}> <{NS}toys.kite.{relation}> <{NS}m.0{end}> .\n"
    for kite in range(8)
    for relation, end in (("maker", f"w{kite % 3}"), ("colour", f"c{kite % 2}"), ("owner", f"p{kite}"))
) + "".join(f"<{NS}m.0w{place}> <{NS}toys.workshop.town> <{NS}m.0t{place}> .\n" for place in range(3))
# WebQSP's queries begin so: the answer is not the topic, and texts are English.
HEAD = """PREFIX ns: <http://rdf.freebase.com/ns/>
SELECT DISTINCT ?x
WHERE {{
FILTER (?x != ns:{topic})
FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en'))
"""
LATEST = "?y ns:toys.kite.since ?when .\n}\nORDER BY DESC(xsd:datetime(?when))\nLIMIT 1\n"
GRAPH_QUERY = """PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX : <http://rdf.freebase.com/ns/>
SELECT (?x0 AS ?value) WHERE {{
SELECT DISTINCT ?x0 WHERE {{
VALUES ?x1 {{ :m.0w{place} }}
?x0 :toys.kite.maker ?x1 .
FILTER ( ?x0 != ?x1 )
}}
}}"""


def webqsp(path: Path) -> Path:
    questions = []
    for kite in range(8):
        topic = f"m.0k{kite}"
        for relation, words in (("maker", "who made"), ("owner", "who owns"), ("colour", "what colour is")):
            body = HEAD.format(topic=topic) + f"ns:{topic} ns:toys.kite.{relation} ?x .\n}}\n"
            questions.append((f"{words} kite {kite}?", body, topic))
    odd = HEAD.format(topic="m.0k0") + f"ns:m.0k0 ns:toys.kite.owner ?y .\n?y ns:toys.owner.kite ?x .\n{LATEST}"
    questions.append(("what did the owner of kite 0 buy last?", odd, "m.0k0"))
    parse = {"TopicEntityName": "kite", "InferentialChain": [], "Answers": []}
    items = [
        {
            "QuestionId": f"Toy-{number}",
            "RawQuestion": text,
            "ProcessedQuestion": text,
            "Parses": [{"ParseId": "P0", "Sparql": sparql, "TopicEntityMid": topic, **parse}],
        }
        for number, (text, sparql, topic) in enumerate(questions)
    ]
    path.write_bytes(orjson.dumps({"Version": "1.0", "Questions": items}))
    return path


def graph_questions(path: Path) -> Path:
    items: list[dict[str, Any]] = [
        {
            "qid": 500 + place,
            "question": f"which kite did workshop {place} make?",
            "answer": [f"Kite {place}"],
            "function": "none",
            "commonness": -7.5,
            "num_node": 2,
            "num_edge": 1,
            "graph_query": {
                "nodes": [
                    {"nid": 0, "node_type": "class", "id": "toys.kite", "question_node": 1, "function": "none"},
                    {"nid": 1, "node_type": "entity", "id": f"m.0w{place}", "friendly_name": f"workshop {place}"},
                ],
                "edges": [{"start": 0, "end": 1, "relation": "toys.kite.maker", "friendly_name": "Maker"}],
            },
            "sparql_query": GRAPH_QUERY.format(place=place),
        }
        for place in range(3)
    ]
    path.write_bytes(orjson.dumps(items))
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "none"))
    (tmp_path / "kites.nt").write_text(FACTS)
    recombine.kb_build(["kites.nt"], "kites.kb", profile="freebase")
    return tmp_path


def test_queries_of_webqsp_have_forms_less_what_forms_never_say() -> None:
    freebase = find_profile("freebase")
    plain = HEAD.format(topic="m.0k1") + "ns:m.0k1 ns:toys.kite.maker ?x .\n}"
    other = HEAD.format(topic="m.0k1") + f"ns:m.0k1 ns:toys.kite.owner ?y .\n?y ns:toys.owner.kite ?x .\n{LATEST}"
    made = sexpression_targets([Example.of("a", plain), Example.of("b", other)], "sparql", freebase)
    assert [each.target for each in made.questions] == ["(JOIN (R toys.kite.maker) m.0k1)", other]
    assert made.refused == 1


def test_webqsp_is_converted_trained_on_answered_and_scored(here: Path) -> None:
    webqsp(here / "WebQSP.toy.json")
    with pytest.warns(InputWarning, match="without an ontology"):
        converted = recombine.kb_convert("WebQSP.toy.json", from_="sparql", to="sexpression", keep=True)
    converted.write("webqsp.jsonl")
    assert (converted.to_dict()["converted"], converted.to_dict()["unsupported"]) == (24, 1)
    data = recombine.load("webqsp.jsonl", language="sexpression", world="kites.kb")
    assert len(data) == 24
    assert data["Toy-0"].target == "(JOIN (R toys.kite.maker) m.0k0)"
    assert data["Toy-0"].tags["topic"] == "m.0k0"
    split = recombine.split(data, by="random", train=16, dev=2, test=6)
    settings = {"width": 32, "word_width": 16, "epochs": 4, "links": "gold", "hops": 1, "batch": 8}
    parser = recombine.train(data, split, model="kbqa:small", set=settings)
    predictions = recombine.predict(parser, data, split)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # toys have no ontology
        score = recombine.score(data, split, predictions.outputs)
    assert score.to_dict()["n"] == 6
    # each answer is a candidate: a path from the topic, or a count of it
    for key in split.parts["test"]:
        text = str(predictions.outputs[key])
        assert str(data[key].tags["topic"]) in text
        assert "toys.kite." in text


def test_graph_questions_are_converted_with_their_links(here: Path) -> None:
    graph_questions(here / "graphquestions.toy.json")
    with pytest.warns(InputWarning, match="without an ontology"):
        converted = recombine.kb_convert("graphquestions.toy.json", from_="sparql", to="sexpression", keep=True)
    converted.write("graph.jsonl")
    data = recombine.load("graph.jsonl", language="sexpression", world="kites.kb")
    assert [each.target for each in data] == [f"(JOIN toys.kite.maker m.0w{place})" for place in range(3)]
    made = recombine.kb_candidates("kites.kb", data="graph.jsonl", profile="freebase").to_dict()
    assert made["covered"] == made["questions"] == 3
