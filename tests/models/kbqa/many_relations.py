"""Questions over forty relations, each of which is in few of them."""

from __future__ import annotations

import itertools

import numpy as np

from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link
from recombine.models.kbqa.arrays.question_arrays import ENTITY, QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.schema_arrays import RELATION, SchemaArrays
from recombine.models.kbqa.arrays.tries import Tries

NAMES = ("Alien", "Dune", "Emma", "Solaris", "Stalker", "Ulysses")
VERBS = tuple("".join(letters) for letters in itertools.product("bdgklmprst", "aiou", ["no"]))
"""Forty words such as `bano`."""
SCHEMA = SchemaArrays(
    tuple(f"thing.{verb}" for verb in VERBS),
    tuple(f"thing {verb}" for verb in VERBS),
    np.full(len(VERBS), RELATION, np.uint8),
)


def many_relations() -> QuestionArrays:
    """Six questions for each relation, one relation after the other: `(JOIN relation entity)` or the other way."""
    pairs = list(itertools.product(range(len(VERBS)), range(len(NAMES))))
    symbols = {symbol: code for code, symbol in enumerate(SYMBOLS)}
    link = first_link(len(SCHEMA))
    targets = []
    for verb, name in pairs:
        relation = [len(SYMBOLS) + verb]
        if name % 2:
            relation = [symbols["("], symbols["R"], *relation, symbols[")"]]
        targets.append([symbols["("], symbols["JOIN"], *relation, link, symbols[")"]])
    return QuestionArrays(
        ids=tuple(f"q{number}" for number in range(len(pairs))),
        texts=tuple(
            f"{VERBS[verb]} of {NAMES[name]}?" if name % 2 else f"what has {VERBS[verb]} {NAMES[name]}?"
            for verb, name in pairs
        ),
        link_begins=np.arange(len(pairs) + 1, dtype=np.int64),
        link_words=tuple(f"m.{NAMES[name].lower()}" for _, name in pairs),
        link_texts=tuple(NAMES[name] for _, name in pairs),
        link_kinds=np.full(len(pairs), ENTITY, np.uint8),
        vocabulary=Ragged.of([list(range(len(VERBS)))] * len(pairs)),
        pruned=np.ones(len(pairs), np.bool_),
        targets=Ragged.of(targets),
        candidates=Tries.of([[] for _ in pairs]),
    )
