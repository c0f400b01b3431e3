"""Schemas and questions of several sources as one, so that one network is trained and asked over all of them.

An item has one code in a schema. Schemas are joined first, and questions made over the joined one; what is joined here
are questions over the same schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
from recombine.models.kbqa.arrays.tries import Tries

if TYPE_CHECKING:
    from collections.abc import Sequence


def joined_schema(schemas: Sequence[SchemaArrays]) -> SchemaArrays:
    """The items of all schemas, each once: relations, then classes, in the order in which they come."""
    texts: dict[tuple[int, str], str] = {}
    for schema in schemas:
        for kind, word, text in zip(schema.kinds.tolist(), schema.words, schema.texts, strict=True):
            texts.setdefault((kind, word), text)
    ordered = sorted(texts, key=lambda item: item[0])
    return SchemaArrays(
        tuple(word for _, word in ordered),
        tuple(texts[item] for item in ordered),
        np.array([kind for kind, _ in ordered], np.uint8),
    )


def joined_questions(parts: Sequence[QuestionArrays]) -> QuestionArrays:
    """The questions of all parts, in their order; they are over one schema."""
    begins = [np.diff(part.link_begins) for part in parts]
    return QuestionArrays(
        tuple(name for part in parts for name in part.ids),
        tuple(text for part in parts for text in part.texts),
        np.concatenate([[0], np.cumsum(np.concatenate(begins))]).astype(np.int64),
        tuple(word for part in parts for word in part.link_words),
        tuple(text for part in parts for text in part.link_texts),
        np.concatenate([part.link_kinds for part in parts]),
        _joined([part.vocabulary for part in parts]),
        np.concatenate([part.pruned for part in parts]),
        _joined([part.targets for part in parts]),
        Tries(_joined([p.candidates.parents for p in parts]), _joined([p.candidates.codes for p in parts])),
    )


def _joined(parts: Sequence[Ragged]) -> Ragged:
    sizes = np.concatenate([part.sizes for part in parts])
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Ragged(begins, np.concatenate([part.values for part in parts]))
