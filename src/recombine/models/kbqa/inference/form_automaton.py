"""The well-formed forms as a pushdown automaton over the kinds of their words.

The stack says what is still to come. The functions and their arguments are those of GrailQA's S-expressions (Table 4):
a set is a class, an entity or a list; `JOIN` takes a relation, or one turned round by `R`, and a set or a value;
comparisons take a relation and a value; superlatives take a set and a relation or a path of them; `COUNT` stands at the
beginning alone. Every form that it accepts is read by `languages/sexpression`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.codes import CLOSE, END, OPEN, SYMBOLS
from recombine.models.kbqa.arrays.question_arrays import LITERAL
from recombine.models.kbqa.arrays.schema_arrays import CLASS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from recombine.models.kbqa.nets.batch import Batch

KINDS = len(SYMBOLS) + 4
"""Symbols are kinds of their own; the others are those below."""
RELATION_KIND, CLASS_KIND, ENTITY_KIND, LITERAL_KIND = range(len(SYMBOLS), KINDS)
NEVER = 1 << 20
"""More words than any form has."""

# What a stack can hold.
(OVER, FORM, FORM_LIST, SET, SET_LIST, ARGUMENT, TURNED, TURNED_LIST, PATH, PATH_LIST, NAME, VALUE, BRACKET) = range(13)
STATES = 13
PUSHED = 3
"""The most that a word puts on the stack."""
DEEPER = 2
"""By how much the stack can grow with one word."""

_SETS = {
    "AND": (SET, SET, BRACKET),
    "JOIN": (TURNED, ARGUMENT, BRACKET),
    "ARGMAX": (SET, PATH, BRACKET),
    "ARGMIN": (SET, PATH, BRACKET),
    **dict.fromkeys(("lt", "le", "gt", "ge"), (TURNED, VALUE, BRACKET)),
}


@lru_cache(maxsize=1)
def rules() -> dict[tuple[int, int], tuple[int, ...]]:
    """What a word of a kind puts in the place of the top of the stack, by that top and the kind."""
    kind = {name: number for number, name in enumerate(SYMBOLS)}
    made: dict[tuple[int, int], tuple[int, ...]] = {
        (OVER, END): (),
        (FORM, OPEN): (FORM_LIST,),
        (FORM_LIST, kind["COUNT"]): (SET, BRACKET),
        (TURNED, OPEN): (TURNED_LIST,),
        (TURNED_LIST, kind["R"]): (NAME, BRACKET),
        (PATH, OPEN): (PATH_LIST,),
        (PATH_LIST, kind["R"]): (NAME, BRACKET),
        (PATH_LIST, kind["JOIN"]): (TURNED, PATH, BRACKET),
        (VALUE, LITERAL_KIND): (),
        (ARGUMENT, LITERAL_KIND): (),
        (BRACKET, CLOSE): (),
    }
    made |= {(top, kind[name]): pushed for top in (FORM_LIST, SET_LIST) for name, pushed in _SETS.items()}
    made |= {(top, OPEN): (SET_LIST,) for top in (SET, ARGUMENT)}
    made |= {(top, known): () for top in (SET, ARGUMENT) for known in (CLASS_KIND, ENTITY_KIND)}
    made |= {(top, RELATION_KIND): () for top in (TURNED, PATH, NAME)}
    return made


def accepts(kinds: Iterable[int]) -> bool:
    """Whether words of these kinds, without an end, are a form."""
    table, stack = rules(), [FORM]
    for kind in kinds:
        if not stack or (pushed := table.get((stack.pop(), kind))) is None:
            return False
        stack += pushed[::-1]
    return not stack


def word_kinds(batch: Batch) -> NDArray[np.int64]:
    """The kind of each place of a batch's tables (B, V); -1 where there is no word."""
    schema, questions = batch.prepared.schema, batch.prepared.questions
    made = batch.codes
    symbols, links = len(SYMBOLS), batch.links.shape[1]
    known = made >= 0
    item_kinds = np.append(np.where(schema.kinds == CLASS, CLASS_KIND, RELATION_KIND), -1)
    link_kinds = np.append(np.where(questions.link_kinds == LITERAL, LITERAL_KIND, ENTITY_KIND), -1)
    made[:, symbols : symbols + links] = link_kinds[batch.links]
    made[:, symbols + links :] = item_kinds[batch.items]
    return np.where(known, made, -1)


@lru_cache(maxsize=64)
def fewest_words(relations: bool, classes: bool, entities: bool, literals: bool) -> NDArray[np.int64]:
    """The fewest words that each state of the stack is over after, where there are words of these kinds.

    `NEVER` or more where it cannot be over. `OVER` itself takes an end, which is no word.
    """
    there = np.ones(KINDS, np.bool_)
    there[len(SYMBOLS) :] = relations, classes, entities, literals
    made = np.full(STATES, NEVER, np.int64)
    made[OVER] = 0
    for _ in range(STATES):
        for (top, kind), pushed in rules().items():
            if there[kind] and top != OVER:
                made[top] = min(made[top], 1 + sum(int(made[state]) for state in pushed))
    return np.minimum(made, NEVER)
