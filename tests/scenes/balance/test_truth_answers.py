"""What the truth answers: wider names fit, and an answer that is lost counts as another."""

from __future__ import annotations

from recombine.languages.scenes import SCENES
from recombine.scenes.balance.asked_question import AskedQuestion
from recombine.scenes.balance.truth_answers import answers_by_truth
from recombine.scenes.programs.execute import Value
from recombine.scenes.scene import Modifier, Relation, Scene, SceneObject, Scenes
from recombine.scenes.subgraph import Subgraph
from recombine.scenes.synthetic.ontology import find_ontology

TRUTH = Scenes(
    (
        Scene(
            "a",
            (
                SceneObject("1", "puppy", relations=(Relation("standing on", "2", (Modifier("with", "3"),)),)),
                SceneObject("2", "table"),
                SceneObject("3", "hat"),
            ),
        ),
    ),
    "x",
)


def asked(program: str, answer: Value) -> AskedQuestion:
    return AskedQuestion(
        "id", "q", SCENES.parse(program), answer, ("a",), ("holds",), "T", Subgraph("dog"), "train", None
    )


def differ(program: str, answer: Value) -> tuple[int, int]:
    said = answers_by_truth([asked(program, answer)], TRUTH, find_ontology())
    return said.differ, said.no_answer


def test_wider_names_of_objects_and_relations_fit() -> None:
    assert differ("count ( with_relation ( find ( dog ) , on , find ( table ) ) )", 1) == (0, 0)
    assert differ("count ( with_relation ( find ( animal ) , on:_with , find ( hat ) ) )", 1) == (0, 0)
    assert differ("count ( find ( cat ) )", 1) == (1, 0)


def test_a_name_that_fits_what_is_there_is_right() -> None:
    program = "query_name ( unique ( find ( dog ) ) )"
    assert differ(program, "animal") == (0, 0)
    assert differ(program, "cat") == (1, 0)


def test_an_answer_that_is_lost_differs() -> None:
    assert differ("query_name ( unique ( find ( cat ) ) )", "cat") == (1, 1)
