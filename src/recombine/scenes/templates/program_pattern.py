"""The program of a template: a program with slots for its names, parts, operators and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from recombine.languages.functional import parse_functional, render_functional
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

_SLOT = re.compile(r"\{([A-Z][A-Z0-9-]*)\}")
_ANY = re.compile(r"\{[^{}]*\}")


class Programmed(Protocol):
    """What a slot holds: a part of a program, as a tree and as text."""

    @property
    def program(self) -> Tree:
        """The tree."""
        ...

    @property
    def program_text(self) -> str:
        """The text of the tree."""
        ...


@dataclass(frozen=True)
class ProgramPattern:
    """A tree with slots, and its text."""

    tree: Tree
    pieces: tuple[str, ...]
    """Texts and names of slots in turn."""

    @classmethod
    def of(cls, text: str, words: Mapping[str, str]) -> ProgramPattern:
        """The pattern of a text with some words at their slots; raises `ValueError` for what is no slot."""
        filled = _SLOT.sub(lambda match: words.get(match[1], match[0]), text)
        wrong = [each for each in _ANY.findall(filled) if not _SLOT.fullmatch(each)]
        if wrong:
            raise ValueError(f"the program's slot {wrong[0]} is no name in capitals")
        tree = parse_functional(filled)
        return cls(tree, tuple(_SLOT.split(render_functional(tree))))

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that it uses."""
        return self.pieces[1::2]

    def text(self, slots: Mapping[str, Programmed]) -> str:
        """The text of the program with slots filled."""
        return "".join(slots[piece].program_text if place % 2 else piece for place, piece in enumerate(self.pieces))

    def fill(self, slots: Mapping[str, Programmed]) -> Tree:
        """The program with slots filled."""
        return _filled(self.tree, slots)


def _filled(node: Tree, slots: Mapping[str, Programmed]) -> Tree:
    label = node.label
    if "{" in label:
        match = _SLOT.search(label)
        if match is not None:
            if match[0] == label and not node.children:
                return slots[match[1]].program
            label = label.replace(match[0], slots[match[1]].program_text)
    if not node.children:
        return node if label == node.label else Tree(label)
    return Tree(label, tuple(_filled(child, slots) for child in node.children))
