"""A template with all that questions are drawn from: its groundings with their answers, and its wordings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections import Counter

    from recombine.kb.templates.grounding import Grounding
    from recombine.kb.wording.wording import Skeleton


class MadeTemplate(NamedTuple):
    """A template that something in the knowledge base answers."""

    key: str
    relations: int
    function: str
    groundings: tuple[Grounding, ...]
    skeletons: tuple[Skeleton, ...]

    @property
    def most(self) -> int:
        """How many questions it can give, each once."""
        return len(self.groundings) * len(self.skeletons)


class MadeTemplates(NamedTuple):
    """The templates of a lot, and why others were refused."""

    templates: tuple[MadeTemplate, ...]
    refused: Counter[str]
    is_last: bool
    """Whether all templates of this kind were gone through with this lot."""
