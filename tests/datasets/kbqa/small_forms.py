"""Small files in the forms of releases, with questions of our own about toys: no file of a release is here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

Item = dict[str, Any]
GRAPH: Item = {
    "nodes": [{"nid": 0, "node_type": "class", "id": "toys.kite", "question_node": 1, "function": "none"}],
    "edges": [{"start": 0, "end": 1, "relation": "toys.kite.maker", "friendly_name": "Maker"}],
}
GRAILQA: list[Item] = [
    {
        "qid": 3200001000000 + number,
        "question": f"which kite was made by workshop {number}?",
        "answer": [{"answer_type": "Entity", "answer_argument": f"m.0k{number}", "entity_name": f"Kite {number}"}],
        "function": "none",
        "num_node": 2,
        "num_edge": 1,
        "graph_query": GRAPH,
        "sparql_query": f"SELECT DISTINCT ?x0 WHERE {{ ?x0 :toys.kite.maker :m.0w{number} }}",
        "domains": ["toys"],
        "level": "i.i.d.",
        "s_expression": f"(AND toys.kite (JOIN toys.kite.maker m.0w{number}))",
    }
    for number in range(3)
]
GRAPH_QUESTIONS: list[Item] = [
    {
        "qid": 100000000 + number,
        "question": f"how many strings has kite {number}?",
        "answer": ["two", number],
        "function": "count",
        "commonness": -7.5,
        "num_node": 2,
        "num_edge": 1,
        "graph_query": GRAPH,
        "sparql_query": f"SELECT (COUNT(?x0) AS ?value) WHERE {{ :m.0k{number} :toys.kite.string ?x0 }}",
    }
    for number in range(2)
]
CWQ: list[Item] = [
    {
        "ID": f"ToyTrn-{number}_abc",
        "answers": [
            {"answer": "Kite A", "answer_id": "m.0ka", "aliases": []},
            {"answer": "1999", "answer_id": "", "aliases": []},
        ],
        "composition_answer": "workshop",
        "compositionality_type": "conjunction",
        "created": "2020-01-01",
        "machine_question": f"what kite did workshop {number} make and is the kite that is red",
        "question": f"Which red kite did workshop {number} make?",
        "sparql": f"SELECT DISTINCT ?x WHERE {{ ns:m.0w{number} ns:toys.workshop.kites ?x }}",
        "webqsp_ID": f"ToyTrn-{number}",
        "webqsp_question": f"what kite did workshop {number} make",
    }
    for number in range(2)
]
LC_QUAD_1: list[Item] = [
    {
        "_id": str(1500 + number),
        "corrected_question": f"How many kites did workshop {number} build?",
        "intermediary_question": f"How many <kites> are there whose <builder> is <workshop {number}>?",
        "sparql_query": f"SELECT DISTINCT COUNT(?uri) WHERE {{ ?uri <http://x.org/builder> <http://x.org/W{number}> }}",
        "sparql_template_id": 101,
    }
    for number in range(2)
]
LC_QUAD_2: list[Item] = [
    {
        "uid": number,
        "NNQT_question": f"What is the {{kite}} of {{workshop {number}}} ?",
        "question": question,
        "paraphrased_question": "",
        "subgraph": "simple question right",
        "template": "<S P ?O ; ?O instanceOf Type>",
        "template_id": 2,
        "template_index": 65,
        "answer": [],
        "sparql_wikidata": f"select distinct ?obj where {{ wd:Q{number} wdt:P1 ?obj }}",
        "sparql_dbpedia18": f"select distinct ?obj where {{ ?s ?p wd:Q{number} }}",
    }
    for number, question in enumerate(["Which kite does workshop 0 make?", None, "n/a", "Which kite is by workshop 3?"])
]


def webqsp_question(number: int, *parses: Item) -> Item:
    return {
        "QuestionId": f"ToyTest-{number}",
        "RawQuestion": f"who made kite {number}?",
        "ProcessedQuestion": f"who made kite {number}",
        "Parses": list(parses),
    }


def webqsp_parse(sparql: str | None, *answers: str) -> Item:
    return {
        "ParseId": "ToyTest.P0",
        "Sparql": sparql,
        "TopicEntityMid": "m.0k",
        "TopicEntityName": None,
        "InferentialChain": ["toys.kite.maker"],
        "Answers": [{"AnswerType": "Entity", "AnswerArgument": name, "EntityName": name} for name in answers],
    }


WEBQSP: Item = {
    "Version": "1.0",
    "FreebaseVersion": "2015-08-09",
    "Questions": [
        webqsp_question(0, webqsp_parse("SELECT ?x WHERE { }", "m.0a", "m.0b"), webqsp_parse("SELECT ?y WHERE { }")),
        webqsp_question(1, webqsp_parse(None), webqsp_parse("SELECT ?z WHERE { }", "m.0c")),
        webqsp_question(2, webqsp_parse("")),
        webqsp_question(3),
    ],
}
SIMPLE_QUESTIONS = [
    ("www.freebase.com/m/0k1", "www.freebase.com/toys/kite/maker", "www.freebase.com/m/0w1", "who made kite one?"),
    ("www.freebase.com/m/0k2", "www.freebase.com/toys/kite/colour", "www.freebase.com/m/0red", "what hue is kite two"),
]


def write(path: Path, value: Any) -> Path:
    path.write_bytes(orjson.dumps(value))
    return path


def write_lines(path: Path, lines: list[tuple[str, ...]]) -> Path:
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    return path
