"""Where the query stands in a text that fences it as Markdown does, with words around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import ProgramError

if TYPE_CHECKING:
    from recombine.languages.sparql.reading import Reading

FENCE = "```"
_OPENING = re.compile(r"```[ \t]*(?:(?:sparql|sql|rq)\b|\w*(?=[ \t]*\n))?", re.IGNORECASE)


def find_query(reading: Reading, *, language: str) -> None:
    """Set where the query begins and ends; what is outside a fence is passed over, and that is noted."""
    text = reading.text
    opening = text.find(FENCE)
    if opening < 0 or "{" in text[:opening]:
        return
    match = _OPENING.match(text, opening)
    begin = match.end() if match else opening + len(FENCE)
    closing = text.find(FENCE, begin)
    end = closing if closing >= 0 else len(text)
    again = text.find(FENCE, end + len(FENCE))
    if again >= 0:
        raise ProgramError(language, again, "a second fence where one query is needed", "keep one of the queries")
    reading.begin, reading.end = begin, end
    reading.lenient("fence")
    if text[:opening].strip() or text[end + len(FENCE) :].strip():
        reading.lenient("prose")
