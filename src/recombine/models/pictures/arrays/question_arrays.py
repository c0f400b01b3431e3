"""Questions about several pictures as arrays: words, pictures and answers, and nothing of a scene graph.

Needs numpy alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.pictures.arrays.array_file import read_arrays, write_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MOST_IMAGES = 5
"""Of one question, as in the paper."""
NOT_AN_ANSWER = -1
"""The answer of a question whose answer the classifier does not have."""


@dataclass
class QuestionArrays:
    """N questions of at most L tokens."""

    tokens: NDArray[np.int16]
    """[N, L]: places in the words; 0 after the end."""
    pictures: NDArray[np.int32]
    """[N, MOST_IMAGES]: places of pictures in the order of the question; -1 after the last."""
    answer: NDArray[np.int16]
    """[N]: places in the answers, or `NOT_AN_ANSWER`."""
    pair: NDArray[np.int32]
    """[N]: twins have one number; -1 for a question without one."""
    template: NDArray[np.int16]
    """[N]: places in `templates`; -1 where it is not said."""
    ids: list[str]
    templates: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def outside(self) -> int:
        """How many have an answer that the classifier does not have: not learned from, and never right."""
        return int(np.count_nonzero(self.answer == NOT_AN_ANSWER))

    def rows(self, places: Sequence[int] | NDArray[Any]) -> QuestionArrays:
        """Some of the questions."""
        at = np.asarray(places, dtype=np.int64)
        return QuestionArrays(
            self.tokens[at],
            self.pictures[at],
            self.answer[at],
            self.pair[at],
            self.template[at],
            [self.ids[place] for place in at.tolist()],
            self.templates,
        )

    def write(self, path: Path | str) -> None:
        """Write an .npz file."""
        write_arrays(path, self.packed())

    @staticmethod
    def read(path: Path | str) -> QuestionArrays:
        """What such a file holds."""
        return QuestionArrays.unpacked(read_arrays(path))

    def packed(self) -> dict[str, NDArray[Any]]:
        """Arrays for an .npz file."""
        return {
            "tokens": self.tokens,
            "pictures": self.pictures.astype(np.int16)
            if len(self) and self.pictures.max() < 1 << 15
            else self.pictures,
            "answer": self.answer,
            "pair": self.pair,
            "template": self.template,
            "ids": np.array([each.encode() for each in self.ids], dtype=np.bytes_),
            "templates": np.array(self.templates, dtype=np.str_),
        }

    @staticmethod
    def unpacked(arrays: Mapping[str, NDArray[Any]]) -> QuestionArrays:
        """The questions of such arrays."""
        return QuestionArrays(
            arrays["tokens"],
            arrays["pictures"].astype(np.int32),
            arrays["answer"],
            arrays["pair"],
            arrays["template"],
            [each.decode() for each in arrays["ids"].tolist()],
            arrays["templates"].tolist(),
        )
