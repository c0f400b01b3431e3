"""The words in the name of a class or a relation.

A name is `domain.class.some_relation`, `/domain/class/some_relation`, or an IRI that ends in `someRelation`. The last
part holds the words. A name such as `/a/b/c./d/e/f` is two relations over a node that was left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable

JOIN = "./"
"""What stands between two relations that are one fact."""
_PARTS = re.compile(r"[A-Z][0-9]+|[A-Z]+(?![a-z])s?|[A-Z]?[a-z']+|[0-9]+|[^\W\d_]+")


def plain_name(text: str) -> str:
    """A name in one way of writing: Freebase's dots for slashes.

    >>> plain_name("/film/actor/film./film/performance/film")
    'film.actor.film./film.performance.film'
    >>> plain_name("film.actor.film")
    'film.actor.film'
    """
    if not text.startswith("/"):
        return text
    return JOIN.join(part.strip("/").replace("/", ".") for part in text.split(JOIN))


def last_part(text: str) -> str:
    """The part of a name or IRI that says what it is, apart from where it belongs.

    >>> last_part("http://example.org/ns#worksFor"), last_part("film.film.genre"), last_part("/film/film/genre")
    ('worksFor', 'genre', 'genre')
    """
    whole = unquote(text).rstrip("/#")
    if "://" in whole or whole.startswith("urn:"):
        return re.split(r"[/#:]", whole)[-1] or whole
    return re.split(r"[./]", plain_name(whole))[-1] or whole


def split_words(text: str, acronyms: Iterable[str] = ()) -> list[str]:
    """The words of a text or name, in lower case but for acronyms and names of a person's own.

    >>> split_words("worksFor"), split_words("FDA OTC monograph part"), split_words("owner_s"), split_words("gdp_real")
    (['works', 'for'], ['FDA', 'OTC', 'monograph', 'part'], ['owner', 's'], ['gdp', 'real'])
    """
    known = frozenset(acronyms)
    words = []
    for word in _PARTS.findall(text.replace("’", "'")):
        if word.lower() in known or (len(word) > 1 and word.isupper()):
            words.append(word.upper())
        else:
            words.append(word.lower())
    return words
