"""A hand-sized set of questions over a knowledge base, with canonical questions, answers, levels and a graph query."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import orjson

import recombine
from recombine.datasets.kbqa_generated import KbqaGenerator

BY = "(AND film.film (JOIN film.film.directed_by m.0{}))"
OF = "(AND film.director (JOIN (R film.film.directed_by) m.0{}))"
NAMES = {1: "Ann Lee", 2: "Bo <b>Ek</b>", 3: "Jaws"}
CANONICAL = "which film is directed by {}?"


def _item(number: int, question: str, form: str, entity: int, answers: int, level: str, **more: Any) -> dict[str, Any]:
    return {
        "qid": number,
        "source": question,
        "target": form.format(entity),
        "answer": [
            {"answer_type": "Entity", "answer_argument": f"m.1{n}", "entity_name": f"A{n}"} for n in range(answers)
        ],
        "topic_entity": {f"m.0{entity}": NAMES[entity]},
        "level": level,
        **more,
    }


def items() -> list[dict[str, Any]]:
    """Six questions: four of one form in three wordings, one of another, one that counts."""
    said = {entity: CANONICAL.format(NAMES[entity]) for entity in NAMES}
    return [
        _item(0, said[1], BY, 1, 2, "i.i.d.", canonical_question=said[1]),
        _item(1, "Ann Lee made which film?", BY, 1, 2, "i.i.d.", canonical_question=said[1]),
        _item(2, "Bo <b>Ek</b> made which film?", BY, 2, 1, "i.i.d.", canonical_question=said[2]),
        _item(3, "the film by Bo <b>Ek</b>", BY, 2, 1, "i.i.d.", canonical_question=said[2]),
        _item(4, "who directed Jaws?", OF, 3, 1, "zero-shot", canonical_question="who directed Jaws?"),
        _item(5, "how many films did Ann Lee direct?", f"(COUNT {BY})", 1, 1, "compositional"),
    ]


def write_set(path: Path) -> Path:
    """Write them as lines."""
    path.write_bytes(b"".join(orjson.dumps(item) + b"\n" for item in items()))
    return path


@cache
def made_set() -> recombine.Dataset:
    """Questions over the made-up world, generated once for all tests."""
    return KbqaGenerator(world_size=12_000).generate(250, seed=1).dataset()
