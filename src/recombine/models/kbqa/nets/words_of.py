"""The words of a text, as encoders without word pieces of their own read it."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")


def words_of(text: str) -> list[str]:
    """Letters and digits between everything else, in small letters.

    >>> words_of("Who wrote film.film.directed_by?")
    ['who', 'wrote', 'film', 'film', 'directed', 'by']
    """
    return _WORD.findall(text.lower())
