"""The atoms that everything else is said with, and what each of them is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.measures.properties.predicate import Atom

OF_PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "op": ("NAME",),
    "arg": ("VALUE",),
    "under": ("A", "B"),
    "child": ("A", "B"),
    "place": ("A", "N", "B"),
}
"""What programs of any language can be asked, and what is named with it."""
OF_EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "tag": ("NAME=VALUE",),
    "tpl": ("NAME",),
    "ans": ("VALUE",),
    "answer": ("KIND",),
    "lexical": ("NAME",),
    "graph": ("SHAPE",),
}
PRIMITIVES: Mapping[str, tuple[str, ...]] = {**OF_PROGRAMS, **OF_EXAMPLES}
KINDS = ("number", "truth", "name")
"""What an answer can be."""
SHAPES = ("modifier", "v")
"""What a sub-graph can have: a modifier of a relation, an object with two relations."""


def form(name: str) -> str:
    """How a primitive is written.

    >>> form("under")
    'under:A:B'
    """
    return ":".join((name, *PRIMITIVES[name]))


def check_primitive(atom: Atom) -> None:
    """Refuse an atom of a primitive that does not say what the primitive is about."""
    name, given = atom.name, atom.parts[1:]
    if len(given) != len(PRIMITIVES[name]):
        raise OptionError(
            f"{atom} names {len(given)} things", f"write {form(name)}, and in quotes what has a colon in it"
        )
    words = given[0].words
    for wanted, known in (("answer", KINDS), ("graph", SHAPES)):
        for word in words if name == wanted else ():
            if word.text not in known:
                raise UnknownNameError(f"{PRIMITIVES[name][0].lower()} of {name}", word.text, known)
    if name == "place" and not all(word.text.isdecimal() and int(word.text) for word in given[1].words):
        raise OptionError(f"{atom} names no place", f"write {form(name)}, where N counts from 1")
    if name == "tag" and (given[0].but or "=" not in words[0].text or not words[0].text.partition("=")[0]):
        raise OptionError(f"{atom} names no tag with its value", f"write {form(name)}, or ! before it")
