"""Where a question names the entities and values of its form.

Names are those that the data gives: of a graph query, of topic entities, and the literals of the program. A question
whose data gives none may have its names in brackets. What is named is told by its place in the graph query, else by
which of the names comes first in the question; so that another question of the same template can be asked with the same
names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from recombine.evaluation.groups.paraphrases import GRAPH, names_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.records.example import Example

_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class Mention(NamedTuple):
    """A name in a question, from `start` up to `end`, and the slot that it fills."""

    start: int
    end: int
    slot: int


class Mentioned(NamedTuple):
    """A question with the places of its names."""

    text: str
    mentions: tuple[Mention, ...]
    whole: bool
    """Whether all that the form names stands in the question."""

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is a name."""
        pieces, end = [], 0
        for mention in self.mentions:
            pieces += [(self.text[end : mention.start], False), (self.text[mention.start : mention.end], True)]
            end = mention.end
        return [piece for piece in [*pieces, (self.text[end:], False)] if piece[0]]

    @property
    def wording(self) -> str:
        """What all questions of a wording share: the words, lower-cased, with slots for the names."""
        return " ".join(self.renamed({each.slot: f"[{each.slot}]" for each in self.mentions}).lower().split())

    @property
    def bare(self) -> str:
        """The words without the names."""
        return self.renamed({each.slot: "" for each in self.mentions})

    @property
    def names(self) -> dict[int, str]:
        """The name in each slot."""
        return {each.slot: self.text[each.start : each.end] for each in self.mentions}

    def renamed(self, names: Mapping[int, str]) -> str:
        """The question with other names in some slots."""
        written, end = [], 0
        for mention in self.mentions:
            written += [self.text[end : mention.start], names.get(mention.slot, self.text[mention.start : mention.end])]
            end = mention.end
        return "".join([*written, self.text[end:]])


def mentioned(example: Example, literals: Iterable[str] = (), *, text: str | None = None) -> Mentioned:
    """The question of an example, or another text of it, with the places of what it names.

    >>> from recombine.records.example import Example
    >>> found = mentioned(Example.of("who led Ann's town in 1990?", "…", tags={"topic": "ann"}), ["1990"])
    >>> found.wording, found.bare, found.whole
    ("who led [0]'s town in [1]?", "who led 's town in ?", True)
    """
    text = example.source if text is None else text
    beside = {**example.tags, **example.context}
    things: dict[str, set[str]] = {}
    for thing, name in names_beside(beside):
        things.setdefault(thing, set()).add(" ".join(name.split()))
    if GRAPH not in beside:
        things.update({value: {value} for value in literals})
    if not things:
        marks = list(_BRACKETS.finditer(text))
        return Mentioned(text, tuple(Mention(*mark.span(1), slot) for slot, mark in enumerate(marks)), bool(marks))
    found = _found(text, things)
    slots = _slots(beside.get(GRAPH), [thing for _, _, thing in found])
    mentions = tuple(Mention(start, end, slots[thing]) for start, end, thing in found)
    return Mentioned(text, mentions, len({thing for _, _, thing in found}) == len(things))


def _found(text: str, things: Mapping[str, set[str]]) -> list[tuple[int, int, str]]:
    """Where names stand, the longest found first, none within another."""
    names = sorted({(name, thing) for thing, each in things.items() for name in each if name})
    names.sort(key=lambda pair: -len(pair[0]))
    found: list[tuple[int, int, str]] = []
    for name, thing in names:
        pattern = r"\s+".join(map(re.escape, name.split()))
        for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
            start, end = match.span()
            if all(end <= other or start >= other_end for other, other_end, _ in found):
                found.append((start, end, thing))
    return sorted(found)


def _slots(graph: object, order: Sequence[str]) -> dict[str, int]:
    """The slot of each thing that is found: its place in the graph query, else in the question."""
    nodes = graph.get("nodes") if isinstance(graph, Mapping) else None
    placed = [str(node.get("id")) for node in nodes or () if isinstance(node, Mapping)]
    if all(thing in placed for thing in order):
        return {thing: placed.index(thing) for thing in order}
    return {thing: place for place, thing in enumerate(dict.fromkeys(order))}
