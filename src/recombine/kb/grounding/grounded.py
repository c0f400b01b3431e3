"""What grounding makes of a question: its entities and its answer, or the reason why there are none."""

from __future__ import annotations

from typing import NamedTuple


class Grounded(NamedTuple):
    """The entities that stand for the placeholders of a question, and the answer that the knowledge base gives."""

    entities: dict[str, str]
    """By placeholder, the id of its entity as the knowledge base's profile shortens it (`m.0abc`)."""
    names: dict[str, str]
    """By placeholder, the name of its entity, which no other entity has."""
    answers: tuple[str, ...]
    """The ids of what is asked for, in their order; of a closed question, `Yes` or `No`."""
    answer_names: tuple[str, ...]
    """The same by name, the id where a thing has none."""
    origin: str
    """Of a `No`, where its entities come from: `mixed` or `generic`; else `satisfying`."""


class Ungrounded(NamedTuple):
    """A question that was dropped."""

    reason: str
    """`unsatisfiable`, `no_unambiguous_names`, `never_false`, `asks_nothing`, `filtered:NAME` or `lacks:PROPERTY`;
    `search_ended` where the search was given up, so that the question may have been satisfiable."""
