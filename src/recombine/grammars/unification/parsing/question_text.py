"""The words of a question, in whichever spelling it comes (CFQ_LANGUAGE: normalising).

Names in square brackets, `M0` and `m.0abc` are entities; a name in brackets becomes `M0`, `M1` … by first appearance.
`' s`, `'s` and `’s` are one possessive; `an` is `a`; a question mark is dropped; a comma is a word.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from recombine.grammars.unification.parsing.chart import PLACEHOLDER

POSSESSIVE = "'s"
_ENTITY = re.compile(r"M\d+|(?:ns:)?m[._]\w+")
_TOKEN = re.compile(r"\[[^\[\]]*\]|['’]\s?s(?![\w'’])|,|\?|[^\s,?\[\]'’]+|\S")


class Words(NamedTuple):
    """The words that rules see, and the entities in the order in which they stand."""

    words: list[str]
    entities: list[str]
    given: list[str]
    """The entities as the question names them."""


def read_question(text: str) -> Words:
    """The words of a question.

    >>> read_question("Did [Commerzbank]’s founder marry an actor?")
    Words(words=['did', '[entity]', "'s", 'founder', 'marry', 'a', 'actor'], entities=['M0'], given=['[Commerzbank]'])
    """
    words: list[str] = []
    entities: list[str] = []
    given: list[str] = []
    numbers: dict[str, str] = {}
    for token in _TOKEN.findall(text):
        if token[0] == "[" and len(token) > 1:
            words.append(PLACEHOLDER)
            entities.append(numbers.setdefault(token, f"M{len(numbers)}"))
            given.append(token)
        elif _ENTITY.fullmatch(token):
            words.append(PLACEHOLDER)
            entities.append(token)
            given.append(token)
        elif token[0] in "'’" and len(token) > 1:
            words.append(POSSESSIVE)
        elif token != "?":
            words.append("a" if token == "an" else token)
    if words and words[0] != PLACEHOLDER:
        words[0] = words[0][0].lower() + words[0][1:]
    return Words(words, entities, given)
