"""Outputs of chat models: out of fences, and in the notation of the targets."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.chat_outputs import check_notation, rewrite_outputs, take_out_of_fences, unfenced
from recombine.evaluation.predictions import Predictions
from recombine.kb.ontology.ontology import Role, ontology_of
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.workbench import load

PLAIN = find_profile("plain")
NS = "http://example.org/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
DATA = load([("who?", "(JOIN made_by Ann)")], language="sexpression")


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("```\na b\n```", "a b"),
        ("```sql\nSELECT a\nFROM b\n```", "SELECT a\nFROM b"),
        ("Sure!\n\n```c++\na\n```\nThis is it.", "a"),
        ("```a ( b )```", "a ( b )"),
        ("```a b\nc```", "a b\nc"),
        ("a b", None),
        ("```\na", None),
        ("``````", None),
        ("```\na\n```\nor\n```\nb\n```", None),
    ],
)
def test_fences(text: str, program: str | None) -> None:
    assert unfenced(text) == program


def test_what_is_in_no_one_block_stays_and_is_counted() -> None:
    outputs = {"1": "```\na\n```", "2": "b", "3": "```c", "4": ""}
    made = take_out_of_fences(Predictions.of(outputs))
    assert [row.output for row in made.predictions.rows] == ["a", "b", "```c", ""]
    assert (made.changed, made.left) == (1, 1)


def test_another_notation() -> None:
    """The class in the middle is said where nothing implies it, and is left out where the ontology does."""
    middle = f"SELECT DISTINCT ?x WHERE {{ ?x <{NS}by> ?y . ?y {TYPE} <{NS}Person> . ?y <{NS}born> <{NS}Rome> }}"
    outputs = {"1": f"SELECT DISTINCT ?x WHERE {{ ?x <{NS}made_by> <{NS}Ann> }}", "2": "nonsense", "3": "", "4": middle}
    made = rewrite_outputs(Predictions.of(outputs), DATA, "sparql", PLAIN)
    assert [row.output for row in made.predictions.rows] == [
        "(JOIN made_by Ann)",
        "nonsense",
        "",
        "(JOIN by (AND Person (JOIN born Rome)))",
    ]
    assert (made.changed, made.left) == (2, 1)
    implied = ontology_of([], {Term.name("born"): Role((Term.name("Person"),), (Term.name("Place"),))}, {})
    again = rewrite_outputs(Predictions.of(outputs), DATA, "sparql", PLAIN, implied)
    assert again.predictions.rows[3].output == "(JOIN by (JOIN born Rome))"


def test_the_same_notation_changes_nothing() -> None:
    given = Predictions.of({"1": "(AND a (JOIN b c))"})
    assert rewrite_outputs(given, DATA, "sexpression", PLAIN).predictions is given


def test_other_targets_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="notation of outputs 'graph'"):
        check_notation(DATA, "graph")
    with pytest.raises(OptionError, match="no logical forms"):
        check_notation(load([("a", "b")], language="text"), "sparql")
