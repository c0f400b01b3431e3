"""A made question as an example in texts: its pair in a spelling of CFQ's, and all other fields as tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.cfq.lot_setting import SHORT
from recombine.datasets.parts.made_lot import TextRow
from recombine.grammars.unification.data_item import grounded_fields
from recombine.kb.grounding.query_name import query_name
from recombine.records.example import content_id

if TYPE_CHECKING:
    from recombine.grammars.unification.generation.made_question import MadeQuestion
    from recombine.kb.grounding.grounded import Grounded
    from recombine.kb.profiles.profile import Profile

FRAME, ORIGIN = "frame", "entityOrigin"
"""The fields that are ours: the kind of sentence, and where the entities come from."""


def question_row(
    question: MadeQuestion, grounded: Grounded | None, spelling: str = SHORT, profile: Profile | None = None
) -> TextRow:
    """The example of a question; `grounded` is none where its placeholders stay, `profile` tells how ids are written.

    The pair has placeholders in any case, so that models and splits treat it as CFQ's published pairs: in their
    spelling, or in the release's where `spelling` is `long`.
    """
    is_short = spelling == SHORT
    source = question.pattern if is_short else question.pattern.replace(" ' s", " 's")
    target = question.query.short() if is_short else question.query.long()
    tags: dict[str, Any] = {}
    if grounded is not None:
        tags |= grounded_fields(
            question.pattern,
            question.query,
            mids=grounded.entities,
            names=grounded.names,
            answers=grounded.answers,
            answer_names=grounded.answer_names,
            written=None
            if profile is None
            else {placeholder: query_name(entity, profile) for placeholder, entity in grounded.entities.items()},
        )
        tags[ORIGIN] = grounded.origin
    tags |= {**question.tags, FRAME: question.frame}
    return TextRow(content_id(source, target), source, target, question.derivation, orjson.dumps(tags).decode())
