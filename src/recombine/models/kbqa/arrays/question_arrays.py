"""Questions with what is linked in them: texts, words, vocabularies, targets and candidates.

One set of links is one `QuestionArrays`: the same questions with the links of their data and with those of a linker are
two of them over the same schema.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.kbqa.arrays.codes import code_words, form_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.ragged import Ragged
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.arrays.tries import Tries

ENTITY, LITERAL = range(2)


@dataclass(frozen=True, slots=True)
class QuestionArrays:
    """Questions in order."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    """The questions, without brackets around what they mention."""
    link_begins: NDArray[np.int64]
    """Where the links of each question begin in the three lists below; one more than there are questions."""
    link_words: tuple[str, ...]
    """Entities and literals as an S-expression has them."""
    link_texts: tuple[str, ...]
    """The words of the question that mention them, else a name."""
    link_kinds: NDArray[np.uint8]
    """`ENTITY` or `LITERAL`."""
    vocabulary: Ragged
    """Numbers of schema items, rising: those near the links, or all where nothing prunes."""
    pruned: NDArray[np.bool_]
    """Whether the vocabulary of a question was pruned."""
    targets: Ragged
    """Codes without `END`; empty where the target is not known, or names something that is not linked."""
    candidates: Tries

    def __len__(self) -> int:
        return len(self.ids)

    def links(self, question: int) -> slice:
        """The places of a question's links."""
        return slice(int(self.link_begins[question]), int(self.link_begins[question + 1]))

    def text(self, question: int, codes: Iterable[int], schema: SchemaArrays) -> str:
        """The form that codes of a question write."""
        return form_text(code_words(codes, schema.words, self.link_words[self.links(question)]))

    def take(self, rows: Sequence[int] | NDArray[Any]) -> QuestionArrays:
        """Some questions, in a given order."""
        at = [int(row) for row in rows]
        spans = [range(*self.links(row).indices(len(self.link_words))) for row in at]
        places = [place for span in spans for place in span]
        begins = np.zeros(len(at) + 1, np.int64)
        np.cumsum([len(span) for span in spans], out=begins[1:])
        return QuestionArrays(
            tuple(self.ids[row] for row in at),
            tuple(self.texts[row] for row in at),
            begins,
            tuple(self.link_words[place] for place in places),
            tuple(self.link_texts[place] for place in places),
            self.link_kinds[places],
            self.vocabulary.take(at),
            self.pruned[at],
            self.targets.take(at),
            self.candidates.take(at),
        )
