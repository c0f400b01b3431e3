"""One of the candidates of a question, each as likely as another."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Self

from recombine.models.kbqa.arrays.candidate_paths import candidate_paths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays


class UniformDraw:
    """Draws by a seed and the id of a question, so that what else is asked does not matter."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def fit(self, schema: SchemaArrays, train: QuestionArrays) -> None:
        """There is nothing to learn."""

    def answer(self, schema: SchemaArrays, questions: QuestionArrays, row: int) -> str:
        """The form that is drawn; empty where there is no candidate."""
        paths = candidate_paths(questions.candidates, row)
        return questions.text(row, paths[self._draw(questions.ids[row], len(paths))], schema) if paths else ""

    def _draw(self, key: str, number: int) -> int:
        drawn = hashlib.blake2b(f"{self.seed}/{key}".encode(), digest_size=8).digest()
        return int.from_bytes(drawn) % number

    def to_dict(self) -> dict[str, Any]:
        """What is kept of it."""
        return {}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], seed: int) -> Self:
        """As it was kept."""
        del record
        return cls(seed)
