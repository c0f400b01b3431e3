"""What people wrote as wordings: from generated questions to tasks, answers, and questions in their words."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.datasets.kbqa_generated import KbqaGenerator
from recombine.datasets.kbqa_made.people_wordings import read_people_wordings
from recombine.errors import InputWarning, OptionError, RecordError
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.forms.write_graph import write_graph
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.templates.template import Template
from recombine.kb.term import Term

PAIRS = [(f"b{n}", *pair) for n in range(12) for pair in (("written_by", f"p{n % 4}"), ("printed_in", f"c{n % 3}"))]
# Without classes; and with classes of relations that nothing is said to be of, so that they are no conditions.
FACTS = {
    "facts.tsv": "".join("\t".join(fact) + "\n" for fact in PAIRS),
    "facts.ttl": "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    ":written_by rdfs:domain :Book ; rdfs:range :Person . :printed_in rdfs:domain :Book ; rdfs:range :City .\n"
    + "".join(f":{subject} :{relation} :{target} .\n" for subject, relation, target in PAIRS),
}
OPTIONS: dict[str, Any] = {"relation_shares": "1,1", "function_shares": "none:1"}
PLAIN = find_profile("plain")


def made(folder: Path, n: int = 40, name: str = "facts.tsv", **options: Any) -> list[Any]:
    facts = folder / name
    facts.write_text(FACTS[name])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*called by its identifier")  # no entity of these has a name
        return list(KbqaGenerator(kb=str(facts), **OPTIONS, **options).generate(n, seed=1).dataset())


def answered(folder: Path, say: Any, name: str = "facts.tsv") -> tuple[Path, dict[str, Any]]:
    """A file of accepted paraphrases of generated questions, by the way that a user goes; and what was counted."""
    asked_of = made(folder, name=name)
    rows = [{"id": each.id, "source": each.source, "target": each.target, "tags": each.tags} for each in asked_of]
    asked, sent, back, taken = (folder / f"{name}.jsonl" for name in ("asked", "sent", "back", "taken"))
    asked.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    tasks = recombine.kb_tasks(asked, task="paraphrase", profile="plain")
    tasks.write(sent)
    answers = [{"item": line.item, "author": "ann", "answer": say(line.show["question"])} for line in tasks.lines]
    back.write_bytes(b"".join(orjson.dumps(answer) + b"\n" for answer in answers) + b'{"item": "paraphr')
    result = recombine.kb_answers(sent, [back])
    result.write(taken)
    return taken, result.to_dict()


def wordings(examples: list[Any]) -> Counter[str]:
    return Counter(each.tags["wording"].startswith("people:") for each in examples)


@pytest.mark.parametrize("name", FACTS)
def test_from_questions_to_questions_in_other_words(tmp_path: Path, name: str) -> None:
    taken, counted = answered(tmp_path, lambda text: "tell me now: " + text, name)
    assert (counted["taken"], counted["dropped"]) == (40, {"broken line": 1})
    with pytest.warns(InputWarning, match="there already"):
        both = made(tmp_path, name=name, paraphrases=str(taken))
    assert all(wordings(both)[kind] > 0 for kind in (True, False))
    # The templates, and how many questions each gives, are those that people were asked about.
    plain = made(tmp_path, name=name)
    assert [each.tags["qid"] for each in both] == [each.tags["qid"] for each in plain]
    with pytest.warns(InputWarning, match="there already"):
        every = made(tmp_path, 20, name, paraphrases=str(taken), paraphrases_alone=True)
    # A template that nobody put into words is asked in the grammar's.
    alone = [each for each in every if each.tags["wording"].startswith("people:")]
    worded = {each.tags["qid"] // 1_000_000 for each in alone}
    assert len(alone) > 10
    assert all(each in alone for each in every if each.tags["qid"] // 1_000_000 in worded)
    for each in alone:
        assert each.source.startswith("tell me now: ")
        assert each.tags["wording"] == "people:paraphrase"
        assert "[" not in each.source
        # The slots are of the entities of each grounding, in their places.
        for node in each.tags["graph_query"]["nodes"]:
            assert node["node_type"] != "entity" or (node["id"] in each.target and node["friendly_name"] in each.source)
    # More groundings than those that the paraphrases were about.
    assert len({each.target for each in alone}) > len({each.tags["qid"] // 1_000_000 for each in alone})


def test_wordings_are_held_out_by_their_tags(tmp_path: Path) -> None:
    taken, _ = answered(tmp_path, lambda text: "tell me now: " + text)
    with pytest.warns(InputWarning):
        rows = made(tmp_path, paraphrases=str(taken))
    data = tmp_path / "q.jsonl"
    data.write_bytes(
        b"".join(
            orjson.dumps({"id": each.id, "source": each.source, "target": each.target, "tags": each.tags}) + b"\n"
            for each in rows
        )
    )
    split = recombine.split(str(data), by="pattern:tag", tag="wording", test=0.3, seed=1)
    tags = {each.id: each.tags["wording"] for each in rows}
    parts = [{tags[key] for key in part} for part in (split.train, split.test)]
    assert all(parts)
    assert not parts[0] & parts[1]


BOOK, BY, IN = Term.name("book"), Term.name("written_by"), Term.name("printed_in")
FORK = GraphQuery(
    (GraphNode("entity", Term.name("c1"), name="Rome"), GraphNode("class", BOOK), GraphNode("entity", Term.name("p1"))),
    (GraphEdge(1, 0, IN), GraphEdge(1, 2, BY)),
    1,
)


def line(task: str, answer: Any, item: str = "", **more: Any) -> dict[str, Any]:
    base = {"item": item or f"{task}/q1", "task": task, "parent": "", "author": "ann", "ask": "", "show": {}}
    if task == "canonical":
        base |= {"parent": "form/q1", "show": {"graph_query": write_graph(FORK, PLAIN)}}
    if task == "paraphrase":
        base |= {"parent": "canonical/q1"}
    return {**base, "answer": answer, **more}


def read(folder: Path, *lines: dict[str, Any] | str) -> Any:
    path = folder / "taken.jsonl"
    path.write_text("".join((each if isinstance(each, str) else orjson.dumps(each).decode()) + "\n" for each in lines))
    return read_people_wordings(path, PLAIN)


def said(found: Any, nodes: tuple[int, int, int] = (0, 1, 2)) -> list[str]:
    """The texts of the fork with the numbers of nodes for names, its nodes in an order."""
    order = [nodes.index(place) for place in range(3)]
    query = GraphQuery(
        tuple(
            GraphNode(node.kind, None if node.kind == "entity" else node.value)
            for node in (FORK.nodes[place] for place in nodes)
        ),
        tuple(GraphEdge(order[edge.start], order[edge.end], edge.relation) for edge in FORK.edges),
        order[1],
    )
    names = {place: f"{number}" for number, place in enumerate(order)}
    return [each.filled(names).text for each in found.of(Template(query))]


def test_slots_are_the_leaves_that_the_brackets_name(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        line("canonical", "which book by [p1] was printed in [Rome]?"),
        line("paraphrase", "printed in [Rome], what did [p1] write?", "paraphrase/q1/1"),
    )
    wanted = ["which book by [2] was printed in [0]?", "printed in [0], what did [2] write?"]
    # Whatever the order of the nodes of the template.
    for nodes in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        assert said(found, nodes) == wanted
    assert not found.dropped
    assert {each.tag for each in found.of(Template(_open()))} == {"people:canonical", "people:paraphrase"}


def _open() -> GraphQuery:
    nodes = tuple(GraphNode(each.kind, each.value if each.kind == "class" else None) for each in FORK.nodes)
    return GraphQuery(nodes, FORK.edges, FORK.asked)


def test_what_is_not_used_is_counted(tmp_path: Path) -> None:
    good = line("canonical", "which book by [p1] was printed in [Rome]?")
    no, yes = {"same_meaning": False, "natural": True}, {"same_meaning": True, "natural": True}

    def judged(text: str, *answers: dict[str, bool]) -> list[dict[str, Any]]:
        show = {"question": text}
        return [
            line("judgement", answer, f"judgement/{number}", parent="paraphrase/q1/1", show=show, author=str(number))
            for number, answer in enumerate(answers)
        ]

    text = "what by [p1] is from [Rome]?"
    other = line("paraphrase", text, "paraphrase/q1/1")
    cases: list[tuple[list[dict[str, Any]], dict[str, int], int]] = [
        ([good, line("paraphrase", "what by [p1]?", "paraphrase/q1/1")], {"brackets that name no leaf": 1}, 1),
        ([good, line("paraphrase", "what by [p2] from [Rome]?", "p")], {"brackets that name no leaf": 1}, 1),
        ([good, line("paraphrase", good["answer"], "p")], {"there already": 1}, 1),
        ([good, other, *judged(text, yes, yes, yes, no)], {}, 2),
        ([good, other, *judged(text, yes, yes, no)], {"judged wrong": 1}, 1),
        ([good, other, *judged("another text", no)], {}, 2),
        ([line("form", False), good, other], {"form refused": 2}, 0),
        ([line("form", True), good, other], {}, 2),
    ]
    for lines, dropped, left in cases:
        found = read(tmp_path, *lines)
        assert (dict(found.dropped), len(said(found))) == (dropped, left), lines


def test_names_that_people_chose(tmp_path: Path) -> None:
    show = {"entity": "p1", "name": "p1", "names": ["Ann", "A. Other"]}
    taken = tmp_path / "names.jsonl"
    lines = [line("surface_forms", [name], f"surface_forms/p1/{name}", show=show) for name in ("Ann", "A. Other")]
    taken.write_bytes(b"".join(orjson.dumps(each) + b"\n" for each in lines))
    assert read_people_wordings(taken, PLAIN).names == {Term.name("p1"): ("Ann", "A. Other")}
    examples = [each for each in made(tmp_path, 60, paraphrases=str(taken)) if "p1" in each.tags["topic_entity"]]
    assert any("Ann" in each.source for each in examples)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"item": "canonical/q1", "ta', "broken JSON"),
        ('{"item": "canonical/q1"}', "line 1: is no answered task"),
        (orjson.dumps(line("canonical", 5)).decode(), "line 1: is no answered task"),
        (orjson.dumps(line("paraphrase", "who?")).decode(), "nor its parent 'canonical/q1' shows a graph query"),
        (orjson.dumps(line("canonical", "who?", show={"graph_query": {}})).decode(), "line 1: .*nodes"),
    ],
)
def test_a_file_that_kb_answers_did_not_write(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        read(tmp_path, text)


def test_alone_without_paraphrases() -> None:
    with pytest.raises(OptionError, match="no paraphrases"):
        KbqaGenerator(paraphrases_alone=True).generate(10, seed=1)
