"""Questions about pictures, written by hand: every kind of property is somewhere among them.

A question is its program, answer, template, sub-graph, part, number of twins and scenes. Scenes of train begin with t.
"""

from __future__ import annotations

from typing import Any

from recombine.languages.scenes import SCENES
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.structures.definition import PROGRAM_STRUCTURES

DOG: list[Any] = ["dog", None, []]
RED_DOG: list[Any] = ["dog", "red", []]
ON: list[Any] = ["dog", None, [["on", ["bed", None, []], []]]]
CHAIN: list[Any] = ["dog", None, [["on", ["bed", None, [["near", ["cat", None, []], []]]], []]]]
V: list[Any] = ["boy", None, [["on", ["bed", None, []], []], ["wearing", ["cap", None, []], []]]]
PULLING: list[Any] = ["boy", None, [["pulling", ["dog", None, []], [["with", ["rope", None, []]]]]]]

P_DOG, P_RED = "find ( dog )", "filter ( red , find ( dog ) )"
P_ON = "with_relation ( find ( dog ) , on , find ( bed ) )"
P_CHAIN = "with_relation ( find ( dog ) , on , with_relation ( find ( bed ) , near , find ( cat ) ) )"
P_V = "with_relation ( with_relation ( find ( boy ) , on , find ( bed ) ) , wearing , find ( cap ) )"
P_PULL = "with_relation ( with_relation ( find ( boy ) , pulling , find ( dog ) ) , pulling:_with , find ( rope ) )"

QUESTIONS: list[tuple[str, object, str, list[Any], str, int | None, list[str]]] = [
    (f"count ( {P_ON} )", 3, "COUNT", ON, "train", 0, ["t1", "t2"]),
    (f"count ( {P_ON} )", 2, "COUNT", ON, "train", 0, ["t1", "t3"]),
    (f"count ( {P_RED} )", 1, "COUNT", RED_DOG, "train", None, ["t1"]),
    (f"eq ( count ( {P_V} ) , 3 )", True, "VERIFYCOUNT", V, "train", 1, ["t1"]),
    (f"eq ( count ( {P_V} ) , 3 )", False, "VERIFYCOUNT", V, "train", 1, ["t2"]),
    (f"gt ( count ( {P_PULL} ) , count ( {P_DOG} ) )", False, "COMPARECOUNT", PULLING, "train", None, ["t4"]),
    (f"eq ( count ( {P_CHAIN} ) , count ( {P_DOG} ) )", True, "COMPARECOUNT", CHAIN, "train", None, ["t4"]),
    (f"all ( {P_DOG} , filter ( red , scene ( ) ) )", True, "VERIFYQUANT", RED_DOG, "train", 2, ["t1"]),
    (f"all ( {P_DOG} , filter ( red , scene ( ) ) )", False, "VERIFYQUANT", RED_DOG, "train", 2, ["t2"]),
    (f"none ( {P_ON} , filter ( red , scene ( ) ) )", True, "VERIFYQUANT", ON, "train", None, ["t3"]),
    (f"all_same [ color ] ( {P_ON} )", True, "VERIFYQUANTATTR", ON, "train", None, ["t3"]),
    (
        f"eq ( query_attr [ size ] ( unique ( {P_ON} ) ) , query_attr [ size ] ( unique ( {P_CHAIN} ) ) )",
        *(False, "VERIFYSAMEATTR", ON, "train", None, ["t3"]),
    ),
    (f"query_attr [ color ] ( unique ( {P_ON} ) )", "red", "QUERYATTR", ON, "train", None, ["t3"]),
    (
        f"query_name ( unique ( with_relation_object ( assert_unique ( {P_ON} ) , near , scene ( ) ) ) )",
        *("cat", "QUERYOBJECT", CHAIN, "train", None, ["t3"]),
    ),
    (f"and ( exists ( {P_DOG} ) , exists ( {P_ON} ) )", True, "VERIFYLOGIC", ON, "train", None, ["t5"]),
    (f"or ( exists ( {P_DOG} ) , exists ( {P_V} ) )", True, "VERIFYLOGIC", V, "train", None, ["t5"]),
    (f"count ( keep_eq ( group_by_images ( {P_DOG} ) , 2 ) )", 3, "COUNTGROUPBY", DOG, "train", None, ["t5"]),
    (f"count ( {P_RED} )", 1, "COUNT", RED_DOG, "dev", None, ["d1"]),
    (f"count ( {P_ON} )", 3, "COUNT", ON, "dev", 3, ["d1"]),
    (f"count ( {P_ON} )", 4, "COUNT", ON, "dev", 3, ["d2"]),
    (f"all ( {P_ON} , filter ( red , scene ( ) ) )", True, "VERIFYQUANT", ON, "dev", None, ["d1"]),
    (f"count ( {P_RED} )", 2, "COUNT", RED_DOG, "test", None, ["e1"]),
    (f"some ( {P_V} , filter ( red , scene ( ) ) )", True, "VERIFYQUANT", V, "test", None, ["e1"]),
    (f"count ( {P_DOG} )", 3, "COUNT", DOG, "test", 4, ["e1"]),
    (f"count ( {P_DOG} )", 0, "COUNT", DOG, "test", 4, ["e2"]),
    (f"exists ( {P_PULL} )", True, "EXISTS", PULLING, "test", None, ["e2"]),
]


def asked(**changes: dict[int, Any]) -> Dataset:
    """The questions as a data set; `part={3: "test"}` changes a field of the question of that number."""
    examples = []
    for number, (target, answer, template, graph, part, pair, images) in enumerate(QUESTIONS):
        context: dict[str, Any] = {
            "answer": answer,
            "template": template,
            "subgraph": graph,
            "part": part,
            "pair": pair,
            "images": images,
        }
        context |= {name: by_number[number] for name, by_number in changes.items() if number in by_number}
        examples.append(Example(f"q{number}", f"question {number}", target, None, {"number": number}, context))
    return Dataset.of("asked", examples, language=SCENES, structures=PROGRAM_STRUCTURES, identity=("images",))


def without(*fields: str) -> Dataset:
    """The questions without some fields."""
    data = asked()
    return data.with_examples(
        Example(e.id, e.source, e.target, None, {}, {name: e.context[name] for name in e.context if name not in fields})
        for e in data
    )
