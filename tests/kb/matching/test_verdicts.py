"""Three verdicts on two forms in any notation, told by their look."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from random_forms import ontology

from recombine.kb.matching.verdicts import Verdicts, look_of
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.profiles.find_profile import find_profile

FREEBASE = find_profile("freebase")
SMALL = Verdicts(ontology(), FREEBASE)
FILM = "(AND film.film (JOIN film.film.directed_by m.01))"
QUERY = "SELECT ?x { ?x a ns:film.film . ?x ns:film.film.directed_by ns:m.01 }"
GRAPH = {
    "nodes": [
        {"nid": 0, "node_type": "class", "id": "film.film", "class": "film.film", "question_node": 1},
        {"nid": 1, "node_type": "entity", "id": "m.01", "class": "film.director", "question_node": 0},
    ],
    "edges": [{"start": 0, "end": 1, "relation": "film.film.directed_by"}],
}  # fmt: skip
UNION = "SELECT ?x { { ?x ns:a.b ns:m.01 } UNION { ?x ns:c.d ns:m.02 } }"
CASES: dict[str, tuple[Any, Any, list[bool | str]]] = {
    "itself": (FILM, FILM, [True, True, True]),
    "an implied class": (FILM, "(JOIN film.film.directed_by m.01)", [True, False, True]),
    "a wider class": (FILM, "(AND media.work (JOIN film.film.directed_by m.01))", [True, False, False]),
    "another entity": (FILM, FILM.replace("m.01", "m.02"), [False, False, False]),
    "unknown relations": ("(JOIN foo.bar m.01)", "(JOIN foo.baz m.01)", [False, False, True]),
    "SPARQL": (FILM, QUERY, [True, True, True]),
    "a fence": (FILM, f"```sparql\n{QUERY}\n```", [True, True, True]),
    "a graph query": (GRAPH, QUERY, [True, True, True]),
    "no S-expression": (UNION, UNION, [True, True, "unsupported"]),
    "a form without one": (FILM, UNION, [False, False, "unsupported"]),
    "unfinished": (FILM, FILM[:-1], ["malformed", "malformed", False]),
    "odd spacing": (FILM, FILM.replace("(", "( "), [True, True, "unreadable"]),
    "unfinished SPARQL": (FILM, QUERY[:-2], ["malformed", "malformed", "malformed"]),
    "no graph query": (FILM, {"nodes": []}, ["malformed", "malformed", "malformed"]),
    "today": (FILM, "(JOIN film.film.minutes NOW)", ["unsupported", "unsupported", False]),
    "two functions": (f"(COUNT (ARGMAX {FILM} film.film.minutes))",) * 2 + ([True, True, True],),
}


@pytest.mark.parametrize("case", CASES)
def test_verdicts(case: str) -> None:
    one, other, wanted = CASES[case]
    keys = SMALL.keys(one), SMALL.keys(other)
    assert list(SMALL.of(*keys).values()) == wanted
    assert list(SMALL.of(*keys[::-1]).values()) == wanted
    assert bool(keys[0].why or keys[1].why) is any(isinstance(verdict, str) for verdict in wanted)


def test_without_an_ontology() -> None:
    verdicts = Verdicts(None, FREEBASE)
    keys = verdicts.keys(FILM), verdicts.keys("(JOIN film.film.directed_by m.01)")
    assert verdicts.of(*keys) == {"strict": False, "isomorphic": False, "grailqa": "unsupported"}


def test_looks() -> None:
    assert look_of("# a remark\n  PREFIX ns: <x> SELECT ?x {}") == "sparql"
    assert look_of("( JOIN SELECT m.0)") == "sexpression"
    assert look_of({}) == "graph"


@pytest.mark.shared_data
def test_scorer_verdicts(data_dir: Path) -> None:
    verdicts = Verdicts(default_ontology(data_dir / "grailqa" / "ontology"), FREEBASE)
    for line in (data_dir / "grailqa" / "scorer_verdicts.jsonl").read_text().splitlines():
        row = json.loads(line)
        said = verdicts.of(verdicts.keys(row["a"]), verdicts.keys(row["b"]))
        assert said["strict"] == row["strict"], row["n"]
        if not row["order_dependent"]:
            assert said["grailqa"] == row["published"], row["n"]
