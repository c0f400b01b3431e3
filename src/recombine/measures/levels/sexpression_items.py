"""The schema items of an S-expression: its relations, classes and functions, as written.

`AND`, `JOIN` and `R` are syntax; entities and literals are no schema items. `lt` is `LT`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.kb.names.sexpression_names import is_value, tree_names
from recombine.kb.term import Term
from recombine.languages.sexpression import parse_sexpression
from recombine.measures.levels.items import Items

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

FUNCTIONS = frozenset({"COUNT", "ARGMAX", "ARGMIN", "LT", "LE", "GT", "GE"})
"""The functions that are schema items."""
_NAMED = FUNCTIONS | {name.lower() for name in FUNCTIONS}
_STAND_INS = ("m.0", "g.0", "e0")


class SExpressionItems:
    """Reads schema items; programs that differ in their entities alone have the same ones and are read once.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> items = SExpressionItems(find_profile("freebase"))
    >>> items.of("(COUNT (JOIN (R film.actor.film) m.0abc))")
    Items(names=frozenset({'film.actor.film'}), functions=frozenset({'COUNT'}))
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._by_shape: dict[str, Items | None] = {}
        self._stand_in = next((text for text in _STAND_INS if profile.is_entity(Term.name(text))), "")
        told = profile.tells_entities and bool(self._stand_in)
        self._entity = re.compile(rf"(?<![^\s()])(?:{profile.entity})(?![^\s()])") if told else None

    def of(self, text: str) -> Items:
        """The schema items of a program."""
        if self._entity is None or '"' in text:  # within quotes, a word that looks like an entity is none
            return self._read(text)
        shape = self._entity.sub(self._stand_in, text)
        if shape not in self._by_shape:
            items = self._read(shape)
            # Where the stand-in is an item, so is the word that it stands for.
            self._by_shape[shape] = None if self._stand_in in items.names else items
        known = self._by_shape[shape]
        return self._read(text) if known is None else known

    def _read(self, text: str) -> Items:
        tree = parse_sexpression(text)
        named = tree_names(tree, self._profile)
        functions = FUNCTIONS.intersection(node.label.upper() for node in tree.iter_nodes() if node.children)
        return Items(frozenset(map(self._profile.show, named.relations | named.classes)), functions)


def other_words(text: str, profile: Profile) -> frozenset[str]:
    """The words of an S-expression that are no schema items, as written: entities, literals and syntax.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> sorted(other_words("(AND (JOIN /film/film/genre /m/0x) (GE year 1990))", find_profile("plain")))
    ['/m/0x', '1990', 'AND', 'JOIN']
    """
    tree = parse_sexpression(text)
    named = tree_names(tree, profile)
    schema = named.relations | named.classes
    words = {node.label for node in tree.iter_nodes() if not node.children}
    kept = {word for word in words if not is_value(word) and profile.term(word) in schema}
    return frozenset((words - kept) | {node.label for node in tree.iter_nodes() if node.children} - kept - _NAMED)
