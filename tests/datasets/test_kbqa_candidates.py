"""Candidates of generated questions: every chain of one or two relations is among them, and what else is and is not."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from recombine.datasets.kbqa_generated import KbqaGenerator
from recombine.kb.candidates.candidate_recall import Asked, CandidateRecall, candidate_recall
from recombine.kb.candidates.search_space import SearchSpace
from recombine.kb.forms.read_form import read_form
from recombine.kb.many_domains.many_domains import many_domains_store
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts

SIZE, NUMBER = 12_000, 200


@cache
def made() -> list[Any]:
    generator = KbqaGenerator(
        world_size=SIZE, relation_shares="5,5,2,1", function_shares="none:6,count:4,superlative:1"
    )
    return list(generator.generate(NUMBER, seed=1).dataset())


@cache
def recalled(count: bool = True) -> CandidateRecall:
    store = many_domains_store(SIZE)
    asked = [Asked(each.id, read_form(each.target, "sexpression", store.profile)) for each in made()]
    return candidate_recall(SearchSpace(store, count=count), asked, ontology=ontology_of_facts(store))


def is_chain(graph: dict[str, Any]) -> bool:
    """Whether a graph is one row of nodes with the asked-for one at an end: counted at its nodes, without the forms."""
    edges = Counter(end for edge in graph["edges"] for end in (edge["start"], edge["end"]))
    asked = next(node["nid"] for node in graph["nodes"] if node["question_node"])
    return max(edges.values()) <= 2 and edges[asked] == 1


def expected(tags: Any) -> str:
    """What must become of a question by its shape."""
    if not is_chain(tags["graph_query"]):
        return "several branches"
    if tags["num_edge"] > 2:
        return "more relations"
    return "covered" if tags["function"] in ("none", "count") else "a function"


def test_what_is_covered_is_what_the_shape_says() -> None:
    wanted = {each.id: expected(each.tags) for each in made()}
    assert recalled().outcomes == wanted
    counted = Counter(wanted.values())
    assert counted["covered"] > NUMBER // 2
    assert all(counted[name] for name in ("several branches", "more relations", "a function"))
    assert recalled().unknown_links == 0


def test_without_counts_those_alone_are_lost() -> None:
    for each in made():
        counts = each.tags["function"] == "count" and recalled().outcomes[each.id] == "covered"
        assert recalled(count=False).outcomes[each.id] == ("a function" if counts else recalled().outcomes[each.id])


def test_a_question_without_an_entity_is_counted() -> None:
    without = [each for each in made() if not each.tags["topic_entity"] and "^^" not in each.target]
    assert recalled().nothing_linked == len(without) > 0
