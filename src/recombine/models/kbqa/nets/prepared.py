"""Questions over a schema with the pieces of their texts, as one encoder cuts them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.nets.shared_words import SharedWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays


class Cutter(Protocol):
    """What cuts texts into numbers of pieces."""

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The pieces of texts, at least one each."""
        ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """A schema, questions, and the pieces of all their texts."""

    schema: SchemaArrays
    questions: QuestionArrays
    item_pieces: Ragged
    question_pieces: Ragged
    link_pieces: Ragged
    all_pieces: Ragged
    """Those of the questions, of the links and of the items, in one table."""
    shared: SharedWords
    """Which words questions and items have in common."""

    @classmethod
    def of(cls, schema: SchemaArrays, questions: QuestionArrays, cutter: Cutter) -> Prepared:
        """With what a cutter makes of the texts."""
        parts = [_pieces(texts, cutter) for texts in (questions.texts, questions.link_texts, schema.texts)]
        return cls(schema, questions, parts[2], parts[0], parts[1], _joined(parts), SharedWords(schema, questions))

    def renamed(self, table: NDArray[np.int64]) -> Prepared:
        """The same with other pieces: in place of each the one that stands at its number in a table."""

        def other(pieces: Ragged) -> Ragged:
            return Ragged(pieces.begins, table[pieces.values].astype(np.int32))

        return replace(
            self,
            item_pieces=other(self.item_pieces),
            question_pieces=other(self.question_pieces),
            link_pieces=other(self.link_pieces),
            all_pieces=other(self.all_pieces),
        )


def _joined(parts: list[Ragged]) -> Ragged:
    """The rows of several tables in one."""
    begins = np.zeros(sum(map(len, parts)) + 1, np.int64)
    np.cumsum(np.concatenate([part.sizes for part in parts]), out=begins[1:])
    return Ragged(begins, np.concatenate([part.values for part in parts]))


def _pieces(texts: Sequence[str], cutter: Cutter) -> Ragged:
    once = list(dict.fromkeys(texts))
    known = dict(zip(once, cutter.pieces(once), strict=True))
    return Ragged.of([known[text] for text in texts])
