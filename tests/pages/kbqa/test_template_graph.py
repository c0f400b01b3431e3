"""Graphs of forms: what each node is, that none covers another, and what the form alone says."""

from __future__ import annotations

from itertools import combinations

from small_kbqa_set import made_set

from recombine.evaluation.match.form_setting import FormSetting, usual_setting
from recombine.pages.kbqa.template_graph import HEIGHT, DrawnGraph, draw_graph, example_graph
from recombine.records.example import Example


def drawn(form: str, language: str = "sexpression") -> DrawnGraph:
    setting: FormSetting = usual_setting(language)
    return draw_graph(example_graph(Example.of("?", form), setting), setting.profile)


def test_kinds_texts_and_functions() -> None:
    graph = drawn(
        "(AND a.town (AND (JOIN a.town.mayor m.01) (LE a.town.people 500^^http://www.w3.org/2001/XMLSchema#integer)))"
    )
    by_kind = {node.kind: node for node in graph.nodes}
    assert set(by_kind) == {"asked", "entity", "literal"}
    assert (by_kind["asked"].text, by_kind["asked"].note) == ("town", "asked for")
    assert (by_kind["literal"].function, by_kind["literal"].text) == ("<=", "500")
    assert {edge.text for edge in graph.edges} == {"mayor", "people"}
    assert {edge.title for edge in graph.edges} == {"a.town.mayor", "a.town.people"}
    assert by_kind["entity"].y == by_kind["literal"].y > by_kind["asked"].y + HEIGHT


def test_counts_and_superlatives_say_so() -> None:
    assert drawn("(COUNT (AND a.town (JOIN a.town.mayor m.01)))").nodes[0].function == "how many"
    extreme = next(node for node in drawn("(ARGMAX a.town a.town.people)").nodes if node.kind == "extreme")
    assert extreme.function == "the most"


def test_arrows_go_from_subject_to_object() -> None:
    there = drawn("(AND a.town (JOIN a.town.mayor m.01))")
    back = drawn("(AND a.person (JOIN (R a.town.mayor) m.01))")
    for graph, subject in ((there, "asked"), (back, "entity")):
        (edge,) = graph.edges
        assert graph.nodes[edge.start].kind == subject


def test_no_node_covers_another_and_all_are_inside() -> None:
    setting = usual_setting("sexpression")
    widest = 0
    for example in made_set():
        graph = draw_graph(example_graph(example, setting), setting.profile)
        widest = max(widest, len(graph.nodes))
        for node in graph.nodes:
            assert node.x - node.width / 2 >= -0.1
            assert node.x + node.width / 2 <= graph.width + 0.1
            assert node.y + HEIGHT <= graph.height
        for one, other in combinations(graph.nodes, 2):
            apart = abs(one.x - other.x) >= (one.width + other.width) / 2
            assert apart or abs(one.y - other.y) > HEIGHT, example.target
    assert widest >= 4


def test_the_graph_of_the_data_is_that_of_its_form() -> None:
    """But for names for people, which the data alone has."""
    setting = usual_setting("sexpression")
    for example in made_set():
        said, told = (
            draw_graph(example_graph(each, setting), setting.profile)
            for each in (example, Example.of(example.source, example.target))
        )
        assert sorted(edge.title for edge in said.edges) == sorted(edge.title for edge in told.edges)
        assert sorted(node.kind for node in said.nodes) == sorted(node.kind for node in told.nodes)
