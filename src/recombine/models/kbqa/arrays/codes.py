"""The numbers that words of a logical form have, and the text of a form by its numbers.

A code below `len(SYMBOLS)` is a symbol; the codes after that are the items of the schema, in their order; those after
the items are what is linked in the question, in the order of its links. Items have one code in all questions of a
schema, and links have codes that mean something in their own question alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SYMBOLS = ("<end>", "(", ")", "AND", "ARGMAX", "ARGMIN", "COUNT", "JOIN", "R", "lt", "le", "gt", "ge")
END, OPEN, CLOSE = range(3)


def first_link(items: int) -> int:
    """The code of the first link of a question, where the schema has so many items."""
    return len(SYMBOLS) + items


def code_words(codes: Iterable[int], items: Sequence[str], links: Sequence[str]) -> list[str]:
    """The words of codes up to the end."""
    words = []
    for code in codes:
        if code == END:
            break
        if code < len(SYMBOLS):
            words.append(SYMBOLS[code])
        elif code < first_link(len(items)):
            words.append(items[code - len(SYMBOLS)])
        else:
            words.append(links[code - first_link(len(items))])
    return words


def form_text(words: Iterable[str]) -> str:
    """The text of a form by its words.

    >>> form_text(["(", "JOIN", "(", "R", "film.director", ")", "m.0", ")"])
    '(JOIN (R film.director) m.0)'
    """
    return " ".join(words).replace("( ", "(").replace(" )", ")")
