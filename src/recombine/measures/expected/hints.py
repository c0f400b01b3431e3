"""What of a test example tells whether a model trained from scratch gets it right: length, and what train lacks of it.

Three are of the texts, and one of the compounds of the definition that a data set has by default. More unseen pieces
make an example harder, and more examples as long as it in train make it easier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.measures.expected.unseen_runs import unseen_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features

QUESTION_RUN = 3
"""How many words of a question are looked at together."""
PROGRAM_RUN = 8
"""How many words of a program are looked at together."""
NAMES = ("examples_as_long", "unseen_question_runs", "unseen_program_runs", "unseen_compounds")


@dataclass(frozen=True)
class Texts:
    """The questions and programs of a part."""

    sources: Sequence[str]
    targets: Sequence[str]


def hints(train: Texts, test: Texts, unseen_compounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """One row for each test example, one column for each name; all but a share are logarithms to base 2 of one more.

    >>> train = Texts(["jump twice", "walk"], ["JUMP JUMP", "WALK"])
    >>> hints(train, Texts(["walk twice"], ["WALK WALK"]), np.array([3])).tolist()
    [[1.0, 1.0, 1.0, 2.0]]
    """
    unseen, held = unseen_runs(train.sources, test.sources, QUESTION_RUN)
    unseen_program, _ = unseen_runs(train.targets, test.targets, PROGRAM_RUN)
    columns = [
        np.log2(1 + as_long(train.targets, test.targets)),
        unseen / held,
        np.log2(1 + unseen_program),
        np.log2(1 + unseen_compounds),
    ]
    return np.stack(columns, axis=1)


def as_long(train: Sequence[str], test: Sequence[str]) -> NDArray[np.int64]:
    """For each text of test how many of train have at least as many words.

    >>> as_long(["a", "a b", "a b c"], ["x y", "x y z z"]).tolist()
    [2, 0]
    """
    lengths = np.sort([len(text.split()) for text in train])
    return np.asarray(len(lengths) - np.searchsorted(lengths, [len(text.split()) for text in test], side="left"))


def unseen_columns(features: Features, train: Sequence[int], test: Sequence[int]) -> NDArray[np.int64]:
    """How many columns each row of test holds that no row of train does.

    >>> from recombine.structures.features import Features
    >>> f = Features.from_rows([{"a": 1, "b": 1}, {"a": 1, "c": 1, "d": 2}])
    >>> unseen_columns(f, [0], [0, 1]).tolist()
    [0, 2]
    """
    rows = features.taken(test)
    unseen = np.concatenate((np.zeros(1, np.int64), np.cumsum(features.held(train)[rows.indices] == 0)))
    return np.asarray(unseen[rows.indptr[1:]] - unseen[rows.indptr[:-1]], np.int64)
