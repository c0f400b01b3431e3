"""Schemas and questions joined: every item has one code, and questions keep their texts, links, targets, candidates."""

from __future__ import annotations

import numpy as np

from recombine.models.kbqa.arrays.codes import END, SYMBOLS, first_link
from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.schema_arrays import CLASS, RELATION, SchemaArrays
from recombine.models.kbqa.arrays.tries import Tries
from recombine.models.kbqa.transfer.joined_arrays import joined_questions, joined_schema


def schema(*items: tuple[str, int]) -> SchemaArrays:
    names = tuple(name for name, _ in items)
    return SchemaArrays(
        names, tuple(name.replace(".", " ") for name in names), np.array([k for _, k in items], np.uint8)
    )


def test_items_come_once_relations_first() -> None:
    one = schema(("toys.kite.maker", RELATION), ("toys.kite", CLASS))
    other = schema(("toys.shop.town", RELATION), ("toys.kite.maker", RELATION), ("toys.kite", CLASS), ("town", CLASS))
    joined = joined_schema([one, other])
    assert joined.words == ("toys.kite.maker", "toys.shop.town", "toys.kite", "town")
    assert joined.texts == ("toys kite maker", "toys shop town", "toys kite", "town")
    assert joined.kinds.tolist() == [RELATION, RELATION, CLASS, CLASS]


def test_a_word_that_is_a_relation_and_a_class_stays_two_items() -> None:
    joined = joined_schema([schema(("genre", RELATION)), schema(("genre", CLASS))])
    assert (joined.words, joined.kinds.tolist()) == (("genre", "genre"), [RELATION, CLASS])


def questions(*rows: tuple[str, list[str], list[int]]) -> QuestionArrays:
    """Questions by id, with links, and a target that is the one candidate."""
    begins = np.cumsum([0, *(len(links) for _, links, _ in rows)]).astype(np.int64)
    words = tuple(word for _, links, _ in rows for word in links)
    return QuestionArrays(
        tuple(name for name, _, _ in rows),
        tuple(f"who {name}" for name, _, _ in rows),
        begins,
        words,
        tuple(word.lower() for word in words),
        np.zeros(len(words), np.uint8),
        Ragged.of([[0] for _ in rows]),
        np.ones(len(rows), bool),
        Ragged.of([target for _, _, target in rows]),
        Tries.of([[[*target, END]] if target else [] for _, _, target in rows]),
    )


def test_questions_keep_what_is_theirs() -> None:
    items = schema(("toys.kite.maker", RELATION))
    relation, link = len(SYMBOLS), first_link(1)
    form = [1, SYMBOLS.index("JOIN"), relation, link + 1, 2]
    first = questions(("a", ["M.0a", "M.0b"], form), ("b", [], []))
    second = questions(("c", ["M.0c", "M.0d"], form))
    joined = joined_questions([first, second])
    assert joined.ids == ("a", "b", "c")
    assert [joined.text(row, joined.targets[row], items) for row in range(3)] == [
        "(JOIN toys.kite.maker M.0b)",
        "",
        "(JOIN toys.kite.maker M.0d)",
    ]
    leaves = joined.candidates.leaves(2)
    assert joined.candidates.path(2, int(leaves[0])) == [*form, END]
    assert len(joined.candidates.leaves(1)) == 0
    again = joined.take([2, 0])
    assert (again.ids, again.link_words) == (("c", "a"), ("M.0c", "M.0d", "M.0a", "M.0b"))
