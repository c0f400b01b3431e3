"""Paths as people type them: relations with ` / ` between them, spaces on both sides; `^` goes against the next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.kb.store import Step

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile


def read_path(text: str, profile: Profile) -> tuple[Step, ...]:
    """The steps of a path.

    >>> from recombine.kb.profiles.profile import Profile
    >>> [(step.relation.text, step.inverse) for step in read_path("directed_by / ^directed_by", Profile("plain", ""))]
    [('directed_by', False), ('directed_by', True)]
    """
    steps = []
    for word in re.split(r"\s+/\s+", text.strip()):
        relation = word.removeprefix("^").strip()
        if not relation:
            raise OptionError(f"{text!r}: a step without a relation", 'write relations with " / " between them')
        steps.append(Step(profile.term(relation), word.startswith("^")))
    return tuple(steps)
