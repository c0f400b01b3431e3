"""Questions over a schema with the pieces of their texts, as one encoder cuts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from recombine.models.kbqa.arrays.ragged import Ragged

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

    @classmethod
    def of(cls, schema: SchemaArrays, questions: QuestionArrays, cutter: Cutter) -> Prepared:
        """With what a cutter makes of the texts."""
        parts = [_pieces(texts, cutter) for texts in (questions.texts, questions.link_texts, schema.texts)]
        return cls(schema, questions, parts[2], parts[0], parts[1], _joined(parts))

    def renamed(self, table: NDArray[np.int64]) -> Prepared:
        """The same with other pieces: in place of each the one that stands at its number in a table."""
        tables = (self.item_pieces, self.question_pieces, self.link_pieces, self.all_pieces)
        return Prepared(
            self.schema, self.questions, *(Ragged(each.begins, table[each.values].astype(np.int32)) for each in tables)
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
