"""A question in words, with the places of its entities and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Mention(NamedTuple):
    """Where the name of a leaf stands in a text, from `start` up to `end` within the brackets; and the leaf's place."""

    start: int
    end: int
    leaf: int


class Wording(NamedTuple):
    """A question whose entities and values are in brackets.

    >>> wording = Skeleton(("which film was written by ", "?"), (1,), "which:passive", "passive").filled({1: "Ang Lee"})
    >>> wording.text, wording.mentions
    ('which film was written by [Ang Lee]?', (Mention(start=27, end=34, leaf=1),))
    >>> wording.plain
    'which film was written by Ang Lee?'
    """

    text: str
    tag: str
    """The pattern and the style: what is held out."""
    kind: str
    """The style: noun, verb, passive or possessive."""
    mentions: tuple[Mention, ...]

    @property
    def plain(self) -> str:
        """The text without brackets."""
        return self.renamed({})

    def renamed(self, names: Mapping[int, str]) -> str:
        """The text without brackets and with other names for some leaves, as people may call them."""
        pieces, end = [], 0
        for mention in self.mentions:
            pieces.append(self.text[end : mention.start - 1])
            pieces.append(names.get(mention.leaf, self.text[mention.start : mention.end]))
            end = mention.end + 1
        return "".join([*pieces, self.text[end:]])


class Skeleton(NamedTuple):
    """A wording before its names: the pieces of text around them, and the leaves between the pieces."""

    pieces: tuple[str, ...]
    leaves: tuple[int, ...]
    tag: str
    kind: str

    def filled(self, names: Mapping[int, str]) -> Wording:
        """The wording with these names for its leaves."""
        text, mentions = self.pieces[0], []
        for leaf, piece in zip(self.leaves, self.pieces[1:], strict=True):
            name, start = names[leaf], len(text) + 1
            mentions.append(Mention(start, start + len(name), leaf))
            text = f"{text}[{name}]{piece}"
        return Wording(text, self.tag, self.kind, tuple(mentions))
