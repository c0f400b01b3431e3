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
    of_grammar: int = 0
    """How many wordings the grammar has for it; 0 where that is not told apart."""

    @property
    def most(self) -> int:
        """How many questions it is asked for, each once: no more for people's wordings, so that these change no choice
        of templates.
        """
        wordings = len(self.skeletons)
        return len(self.groundings) * min(self.of_grammar or wordings, wordings)


class MadeTemplates(NamedTuple):
    """The templates of a lot, and why others were refused."""

    templates: tuple[MadeTemplate, ...]
    refused: Counter[str]
    is_last: bool
    """Whether all templates of this kind were gone through with this lot."""
