"""The paper's worked examples: Appendices A, B, F.2, L and M, with the corrections of docs/cfq.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.grammars.unification.data_item import data_item
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule import KINDS
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.records.derivation import Derivation, rule_kind

# Appendix M, rule by rule; three facts with the corrections.
GRAMMAR = {
    "S=WHQ",
    "WHQ=NPQ_INDIRECT_VP_INDIRECT",
    "NPQ_INDIRECT=WHO",
    "VP_INDIRECT=VP_INDIRECT_DP",
    "VP_INDIRECT=ACTIVE_VP",
    "ACTIVE_VP=VP_SIMPLE",
    "VP_SIMPLE=VP",
    "VP=DIRECTED",
    "DP=ENTITY",
    "ENTITY=[ENTITY]",
}
INFERENCE = {
    "BOUND_ROLES_WITH_PREDICATE_OBJECT": 2,
    "BOUND_ROLES_WITH_PREDICATE_SUBJECT": 2,
    "IGNORE_BOUND_ROLE_PAIRS": 2,
    "IGNORE_DEPENDENCY_DROPPING": 2,
    "PREDICATE_UNREIFICATION": 1,
}
RESOLUTION = {
    "CONJUNCTION_WITHOUT_ENTITY",
    "ENTITY_MID",
    "GET_SPECIALIZATIONS",
    "GET_VAR_CONJUNCTION",
    "GET_VAR_RELATION",
    "GET_VAR_TYPE",
    "PROPERTY_MAPPING",
    "RELATION_MAPPING_WITHOUT_EXCLUSION",
    "RELATION_TO_ENTITY",
    "SHARED_VAR",
    "SPECIALIZATION_OF_TYPE",
    "TYPE_MAPPING",
}
AGENT, UNDERGOER = "RolePair(Predicate, Agent)", "RolePair(Predicate, Undergoer)"
SUBJECT, OBJECT = "RolePair(SubjectHaver, Subject)", "RolePair(ObjectHaver, Object)"
KNOWLEDGE = {
    f"BoundRolePairs(DirectingAFilm, {AGENT}, RolePair(Predicate, FilmDirector))",
    f"BoundRolePairs(DirectingAFilm, {UNDERGOER}, RolePair(Predicate, DirectedFilm))",
    f"BoundRolePairs(PredicateWithBoundRolePairs({OBJECT}, {UNDERGOER}), {OBJECT}, {UNDERGOER})",
    f"BoundRolePairs(PredicateWithBoundRolePairs({SUBJECT}, {AGENT}), {SUBJECT}, {AGENT})",
    "FreebasePropertyMapping(RolePair(FilmDirector, DirectedFilm), 'ns:film.director.film')",
    "FreebaseTypeMapping(Person, 'ns:people.person')",
    "NonExclusiveRolePair(RolePair(FilmDirector, DirectedFilm))",
    "Role(DirectedFilm, DirectingAFilm)",
    "Role(FilmDirector, DirectingAFilm)",
}


def named(graph: Derivation, kind: str) -> list[str]:
    return [rule.removeprefix(f"{kind}:") for rule in graph.rules[1:] if rule_kind(rule) == kind]


def test_who_directed_uses_the_rules_of_appendix_m_and_no_other(cfq: QuestionParser) -> None:
    reading = cfq.parse("Who directed [entity]?")
    graph = cfq.graph(reading)
    assert sorted(named(graph, "grammar")) == sorted(GRAMMAR)
    inference = named(graph, "inference")
    assert {rule: inference.count(rule) for rule in inference} == INFERENCE
    assert sorted(named(graph, "resolution")) == sorted(RESOLUTION)
    assert sorted(named(graph, "knowledge")) == sorted(KNOWLEDGE)
    assert graph.rules[0] == "JOIN_BY_LOGICAL_FORM"
    assert len(graph.rules) == 41
    assert reading.logical_form == "Person ⊓ ∃RolePair(FilmDirector, DirectedFilm).Entity(M0)"
    assert reading.query.short() == "SELECT DISTINCT ?x0 WHERE { ?x0 a people.person . ?x0 film.director.film M0 }"


def needs(graph: Derivation, node: int) -> set[str]:
    """What an application needs, without its facts."""
    below = {graph.rules[child] for parent, child, _ in graph.edges if parent == node}
    return {rule.partition(":")[2] or rule for rule in below if rule_kind(rule) != "knowledge"}


def test_edges_are_minimal_dependencies(cfq: QuestionParser) -> None:
    graph = cfq.graph(cfq.parse("Who directed M0"))
    (unreified,) = [node for node, rule in enumerate(graph.rules) if rule.endswith("PREDICATE_UNREIFICATION")]
    # The relation was made by binding the object; the predicate is bare once both pairs were ignored.
    assert needs(graph, unreified) == {"IGNORE_BOUND_ROLE_PAIRS", "BOUND_ROLES_WITH_PREDICATE_SUBJECT"}
    (question,) = [node for node, rule in enumerate(graph.rules) if rule == "WHQ=NPQ_INDIRECT_VP_INDIRECT"]
    assert needs(graph, question) == {"NPQ_INDIRECT=WHO", "VP_INDIRECT=VP_INDIRECT_DP"}
    subject = [needs(graph, n) for n, rule in enumerate(graph.rules) if rule.endswith("_PREDICATE_OBJECT")]
    assert sorted(map(sorted, subject)) == [["BOUND_ROLES_WITH_PREDICATE_OBJECT"], ["WHQ=NPQ_INDIRECT_VP_INDIRECT"]]
    for parent, child, _ in graph.edges:
        others = {one for one, two, _ in graph.edges if two == child and one != parent}
        inference = {"inference", "grammar"} >= {rule_kind(graph.rules[child]), rule_kind(graph.rules[parent])}
        if parent and inference:  # no need is also the need of a need
            assert not any((parent, other) in {(p, c) for p, c, _ in graph.edges} for other in others)


@pytest.mark.parametrize("question", ["Did M0 direct M1", "Who was directed by M1", "Did a film 's star direct M1"])
def test_needs_are_the_same_whatever_the_subject_is(cfq: QuestionParser, question: str) -> None:
    graph = cfq.graph(cfq.parse(question))
    unreified = [needs(graph, n) for n, rule in enumerate(graph.rules) if rule.endswith("PREDICATE_UNREIFICATION")]
    assert unreified == [{"IGNORE_BOUND_ROLE_PAIRS", "BOUND_ROLES_WITH_PREDICATE_SUBJECT"}]


def test_a_graph_does_not_depend_on_what_was_parsed_before() -> None:
    questions = (Path(__file__).parent / "appendix_b.txt").read_text(encoding="utf-8").splitlines()
    questions += ["Did M0 direct M1", "Who directed M0", "Did M1 's star edit and write M0 , M1 , and M2"]
    there, back = (QuestionParser(read_rule_set("cfq")) for _ in range(2))
    graphs = [there.graph(there.parse(question)) for question in questions]
    assert [back.graph(back.parse(question)) for question in reversed(questions)] == graphs[::-1]
    alone = [QuestionParser(read_rule_set("cfq")) for _ in range(5)]
    assert [one.graph(one.parse(q)) for one, q in zip(alone, questions[10:15], strict=True)] == graphs[10:15]


def test_the_graph_is_read_back(cfq: QuestionParser) -> None:
    graph = cfq.graph(cfq.parse("Were M1 and M2 edited by and written by a actor that M3 employed"))
    assert Derivation.from_rows(graph.to_rows()) == graph
    assert all(any(child == node for _, child, _ in graph.edges) for node in range(1, len(graph.rules)))


# Appendix A, with P0 for the printed PO and role names without blanks.
def test_the_item_of_appendix_a(cfq: QuestionParser) -> None:
    reading = cfq.parse("Did [Agustin Almodovar] executive produce [Deadfall]?")
    mids = {"Agustin Almodovar": "m.04lhs01", "Deadfall": "m.0gx0plf"}
    item = data_item(cfq, reading, mids=mids, answer="No")
    rules = item.pop("aggregatedRuleInfo")["ruleId"]
    tree = item.pop("ruleTree")
    assert item == {
        "question": "Did Agustin Almodovar executive produce Deadfall",
        "questionWithBrackets": "Did [Agustin Almodovar] executive produce [Deadfall]",
        "questionWithMids": "Did m.04lhs01 executive produce m.0gx0plf",
        "questionPatternModEntities": "Did M0 executive produce M1",
        "questionTemplate": "Did [entity] [VP_SIMPLE] [entity]",
        "expectedResponse": "No",
        "sparql": "SELECT count(*) WHERE {\nns:m.04lhs01 ns:film.producer.films_executive_produced ns:m.0gx0plf\n}",
        "sparqlPatternModEntities": "SELECT count(*) WHERE {\nM0 ns:film.producer.films_executive_produced M1\n}",
        "sparqlPattern": "SELECT count(*) WHERE {\nM0 P0 M1\n}",
        "complexityMeasures": {
            "parseTreeLeafCount": 5,
            "parseTreeRuleCount": 12,
            "recursionDepth": 12,
            "sparqlMaximumChainLength": 2,
            "sparqlMaximumDegree": 1,
            "sparqlNumConstraints": 1,
            "sparqlNumVariables": 0,
        },
    }
    mapping = "FreebasePropertyMapping(RolePair(ExecutiveProducer, ExecutiveProducee), "
    for kind, name in (
        ("SPARQL_GENERATION", "ENTITY_MID"),
        ("SPARQL_GENERATION", "GET_SET_TRUTH"),
        ("KNOWLEDGE", f"{mapping}'ns:film.producer.films_executive_produced')"),
        ("GRAMMAR_RULE", "YNQ=DID_DP_VP_INDIRECT"),
        ("GRAMMAR_RULE", "ACTIVE_VP=VP_SIMPLE"),
    ):
        assert {"type": kind, "stringValue": name} in rules
    assert tree["ruleId"]["stringValue"] == "JOIN_BY_LOGICAL_FORM"
    top = next(each for each in tree["subTree"] if each["ruleId"]["stringValue"] == "S=YNQ")
    assert top["subTree"][0]["ruleId"] == {"type": "GRAMMAR_RULE", "stringValue": "YNQ=DID_DP_VP_INDIRECT"}


# An item of the release that a public repository quotes.
def test_the_measures_of_a_quoted_item(cfq: QuestionParser) -> None:
    item = data_item(cfq, cfq.parse("Did M1 's female actor edit and produce M0"))
    assert item["questionTemplate"] == (
        "Did [entity] 's [ADJECTIVE_SIMPLE] [ROLE_SIMPLE] [VP_SIMPLE] and [VP_SIMPLE] [entity]"
    )
    measures = item["complexityMeasures"]
    wanted = {"LeafCount": 9, "NumConstraints": 4, "NumVariables": 1, "ChainLength": 2, "MaximumDegree": 4}
    assert {key: next(v for name, v in measures.items() if name.endswith(key)) for key in wanted} == wanted


CHILD = (
    "people.person.children|ns:fictional_universe.fictional_character.children|ns:organization.organization.child/"
    "ns:organization.organization_relationship.child"
)
SIBLING = (
    "people.person.sibling_s/ns:people.sibling_relationship.sibling|ns:fictional_universe.fictional_character.siblings/"
    "ns:fictional_universe.sibling_relationship_of_fictional_characters.siblings"
)


# Appendix F.2, golden queries, the two abbreviations written out.
@pytest.mark.parametrize(
    ("question", "query"),
    [
        (
            "What sibling of M0 was M1’s parent?",
            f"SELECT DISTINCT ?x0 WHERE {{ ?x0 {CHILD} M1 . ?x0 {SIBLING} M0 . FILTER ( ?x0 != M0 ) }}",
        ),
        (
            "Did a male film director edit and direct M0 and M1?",
            "SELECT count ( * ) WHERE { ?x0 film.director.film M0 . ?x0 film.director.film M1 . ?x0 film.editor.film M0"
            " . ?x0 film.editor.film M1 . ?x0 people.person.gender m_05zppz }",
        ),
    ],
)
def test_the_golden_queries_of_appendix_f(cfq: QuestionParser, question: str, query: str) -> None:
    assert cfq.parse(question).query.short() == query


def test_the_questions_of_appendix_b_have_one_reading_each(cfq: QuestionParser) -> None:
    questions = (Path(__file__).parent / "appendix_b.txt").read_text(encoding="utf-8").splitlines()
    assert len(questions) == 50
    assert [question for question in questions if cfq.parse(question).readings != 1] == []


def test_there_are_no_more_rules_than_the_paper_has() -> None:
    rules = read_rule_set("cfq")
    counts = [sum(rule.kind == kind for rule in rules.rules) for kind in KINDS]
    assert counts == [179, 16, 22, 179]
    assert sum(counts) <= 443  # the paper: 211, 17, 21 and 194
