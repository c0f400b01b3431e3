"""Forms as they are given: literals in the types of their relations, in the notation of the data.

With gold links the data says the types of literals, and they stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.models.kbqa.asked_query import GOLD
from recombine.models.kbqa.outputs.literal_types import LiteralTypes
from recombine.models.kbqa.sexpression_targets import in_language

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.store import Store


def finished_texts(texts: Iterable[str], store: Store, *, links: str, language: str) -> list[str]:
    """S-expressions as they are given; empty where there is none."""
    types = None if links == GOLD else LiteralTypes.of(store)
    retyped = (text if types is None else types.retyped(text) for text in texts)
    return [in_language(text, language, store.profile) if text else "" for text in retyped]
