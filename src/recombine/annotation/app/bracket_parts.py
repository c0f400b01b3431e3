"""A text cut at its brackets, so that a page can mark what a paraphrase has to keep (GrailQA §3.1)."""

from __future__ import annotations

import re

BRACKETED = re.compile(r"(\[[^\[\]]+\])")


def bracket_parts(text: str) -> list[tuple[str, bool]]:
    """The parts of a text, each with whether it stands in brackets.

    >>> bracket_parts("Where was [Barack Obama] born?")
    [('Where was ', False), ('[Barack Obama]', True), (' born?', False)]
    """
    return [(part, index % 2 == 1) for index, part in enumerate(BRACKETED.split(text)) if part]
