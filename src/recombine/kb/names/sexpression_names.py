"""What an S-expression names (GrailQA, appendix B).

A relation stands where a function takes a set of pairs, also within `(R …)` and `(JOIN … …)` there. Where a function
takes a set, a value is none of the three, and a word is an entity or a class by its look; where the profile does not
tell entities by their look, it is an entity at the end of a `JOIN`, and a class elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.kb.names.named import Named, Names
from recombine.languages.sexpression import parse_sexpression

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.tree import Tree

SETS, END, PAIRS, VALUE = "set", "end", "pairs", "value"
_ARGUMENTS = {
    "AND": (SETS, SETS),
    "COUNT": (SETS,),
    "R": (PAIRS,),
    "JOIN": (PAIRS, END),
    **dict.fromkeys(("ARGMAX", "ARGMIN"), (SETS, PAIRS)),
    **dict.fromkeys(("LT", "LE", "GT", "GE", "lt", "le", "gt", "ge"), (PAIRS, VALUE)),
    "TC": (SETS, PAIRS, VALUE),
}
"""What each function takes; the rest are values."""
_VALUE = re.compile(r'".*|.*\^\^.*|[+-]?\d[\d.eE+-]*|\d{4}(?:-\d\d){0,2}|NOW', re.DOTALL)


def sexpression_names(text: str, profile: Profile) -> Named:
    """The names of an S-expression.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> named = sexpression_names("(AND film.film (JOIN (R film.actor.film) m.0abc))", find_profile("freebase"))
    >>> [sorted(term.text for term in names) for names in named[:3]]
    [['m.0abc'], ['film.actor.film'], ['film.film']]
    """
    return tree_names(parse_sexpression(text), profile)


def tree_names(tree: Tree, profile: Profile) -> Named:
    """The names of an S-expression that was read."""
    names = Names()
    waiting: list[tuple[Tree, str]] = [(tree, SETS)]
    while waiting:
        tree, kind = waiting.pop()
        if tree.children:
            kinds = (PAIRS, PAIRS) if kind == PAIRS and tree.label == "JOIN" else _ARGUMENTS.get(tree.label, ())
            waiting += zip(tree.children, [*kinds, *(VALUE for _ in tree.children[len(kinds) :])], strict=False)
        elif kind == PAIRS:
            names.relations.add(profile.term(tree.label))
        elif kind in (SETS, END) and not _VALUE.fullmatch(tree.label):
            term = profile.term(tree.label)
            entity = profile.is_entity(term) if profile.tells_entities else kind == END
            (names.entities if entity else names.classes).add(term)
    return names.named()


def is_value(word: str) -> bool:
    """Whether a word looks like a literal.

    >>> is_value("2010^^http://www.w3.org/2001/XMLSchema#gYear"), is_value("film.film")
    (True, False)
    """
    return _VALUE.fullmatch(word) is not None
