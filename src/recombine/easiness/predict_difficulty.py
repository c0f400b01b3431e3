"""The difficulty of test examples for one training set: from examples to scores, reasons and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.easiness.easiness import Easiness, EasinessRule
from recombine.easiness.reason import Reason, explain
from recombine.errors import SplitError
from recombine.records.chosen_examples import texts_of
from recombine.records.signature import Signature
from recombine.structures.definition import Structures, local_definition
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import read_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.languages.language import Language
    from recombine.records.example import Example
    from recombine.structures.programs.program_arrays import ProgramArrays


@dataclass(frozen=True)
class Difficulty:
    """The easiness of each test example with its reason, and what is worth knowing about all of them."""

    train: Sequence[Example]
    test: Sequence[Example]
    easiness: Easiness
    reasons: tuple[Reason | None, ...]
    unseen_symbols: tuple[tuple[str, ...], ...]
    """The symbols of each test program that no training program has."""
    counts: dict[str, int]
    signature: Signature

    @property
    def mean_easiness(self) -> float:
        """The easiness of the split."""
        return self.easiness.mean()

    def to_record(self) -> dict[str, Any]:
        """As the command line prints it."""
        ids = texts_of(self.train, "id")
        tested = texts_of(self.test, "id")
        rows = zip(tested, self.easiness.scores.tolist(), self.reasons, self.unseen_symbols, strict=True)
        return {
            "mean_easiness": self.mean_easiness,
            **self.counts,
            "examples": [
                {
                    "id": key,
                    "easiness": score,
                    "reason": None if reason is None else reason.to_record(ids),
                    "unseen_symbols": list(unseen),
                }
                for key, score, reason, unseen in rows
            ],
            "signature": str(self.signature),
        }


def predict_difficulty(
    train: Sequence[Example],
    test: Sequence[Example],
    *,
    language: Language | None,
    data: str,
    test_data: str | None = None,
    structures: str | Structures = "local:2",
    similarity: str = "contexts",
    tokenisation: str = "tree",
    signature: Signature | None = None,
) -> Difficulty:
    """The difficulty of test examples, given training examples; `data` and `test_data` name their files in errors.

    >>> from recombine.languages.covr import COVR
    >>> from recombine.records.example import Example
    >>> texts = ["exists ( find ( dog ) )", "exists ( find ( cat ) )", "count ( find ( dog ) )"]
    >>> train = [Example.of("", text) for text in texts]
    >>> test = [Example.of("", "count ( scene ( ) )"), Example.of("", "count ( find ( cat ) )")]
    >>> difficulty = predict_difficulty(train, test, language=COVR, data="mine")
    >>> difficulty.easiness.scores.tolist(), difficulty.counts["unseen_symbol_examples"]
    ([0.0, 1.0], 1)
    """
    files = {"train": data, "test": test_data or data}
    for (name, file), part in zip(files.items(), (train, test), strict=True):
        if not part:
            raise SplitError(f"the {name} part of {file} is empty", "choose another part or file")
    definition = local_definition(structures)
    arrays = read_arrays(train, language, data=files["train"], tokenisation=tokenisation).joined(
        read_arrays(test, language, data=files["test"], tokenisation=tokenisation)
    )
    matrix = local_structures(arrays, definition)
    fitted = EasinessRule(matrix, similarity).fit(np.arange(len(train)))
    easiness = fitted.predict(np.arange(len(train), len(arrays)))
    unseen = _unseen_symbols(arrays, len(train))
    empty = np.diff(matrix.indptr)[len(train) :] == 0
    counts = {
        "train": len(train),
        "test": len(test),
        "unobserved_examples": int(np.count_nonzero(easiness.unobserved)),
        "unseen_symbol_examples": sum(map(bool, unseen)),
        "without_structures": int(np.count_nonzero(empty)),
    }
    options = {"structures": definition, "similarity": similarity, "tokenisation": tokenisation}
    base = signature or Signature.of(data=data, test=test_data)
    reasons = tuple(explain(fitted, easiness))
    return Difficulty(train, test, easiness, reasons, tuple(unseen), counts, base.with_fields(**options))


def _unseen_symbols(arrays: ProgramArrays, first_test: int) -> list[tuple[str, ...]]:
    """The symbols of each test program that no training program has."""
    seen = np.zeros(len(arrays.symbols), bool)
    seen[arrays.labels[: int(arrays.starts[first_test])]] = True
    unseen = []
    for row in range(first_test, len(arrays)):
        labels = np.unique(arrays.labels[int(arrays.starts[row]) : int(arrays.starts[row + 1])])
        unseen.append(tuple(arrays.symbols[int(label)] for label in labels[~seen[labels]]))
    return unseen
