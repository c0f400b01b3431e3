"""What a relation says of one of its two sides: a verb phrase or a relative clause, with a place for the other."""

from __future__ import annotations

from typing import NamedTuple

NOUN, VERB, PASSIVE, POSSESSIVE = "noun", "verb", "passive", "possessive"
STYLES = (NOUN, VERB, PASSIVE, POSSESSIVE)
"""The ways of wording that can be held out."""
VP, WHOSE, GAP = "vp", "whose", "gap"


class Predicate(NamedTuple):
    """`{}` is the place of the other side.

    A `vp` is said of its subject ("wrote {}"), `whose` begins a relative clause ("whose writer is {}"), and a `gap`
    goes on after "that" ("{} is located in").
    """

    style: str
    form: str
    one: str
    """Of one thing."""
    many: str
    """Of many things."""
    named: str = ""
    """The noun by which the other side is called where it has conditions of its own: "has a {named} with …"."""
    asked: str = ""
    """Of a gap: the words that ask for what is missing, "is {} located in"."""


def is_short(predicate: Predicate, said: str) -> bool:
    """Whether a predicate has a relative clause without `that`: "with the genre", "written by"."""
    if predicate.form != VP:
        return False
    verb, _, rest = said.partition(" ")
    if verb in ("has", "have"):
        return predicate.style == NOUN and not rest.startswith("as ")
    return verb in ("is", "are", "was", "were") and predicate.style == PASSIVE


def relative(predicate: Predicate, said: str, *, short: bool = True) -> str:
    """The relative clause of a predicate whose place is filled; as short as English has it where that is asked for.

    >>> relative(Predicate(NOUN, VP, "has the genre {}", "have the genre {}"), "has the genre [rock]")
    'with the genre [rock]'
    >>> relative(Predicate(PASSIVE, VP, "was written by {}", "were written by {}"), "were written by [Ang Lee]")
    'written by [Ang Lee]'
    """
    if predicate.form == WHOSE:
        return said
    if not short or not is_short(predicate, said):
        return f"that {said}"
    rest = said.partition(" ")[2]
    return f"with {rest}" if predicate.style == NOUN else rest
