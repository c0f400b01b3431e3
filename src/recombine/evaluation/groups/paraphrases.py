"""The question with slots in place of what its form names: questions of one template that are then the same text are
one paraphrase, grounded in different entities and literals (GrailQA, section 5.3.3).

Names are those that the data has beside an example, in its tags or its context: those of the topic (`topic_entity`:
names by entity; `topic_name`, `topic`), of `entities` (names by entity, or a list of names), and the friendly names of
entities and literals in a `graph_query`. Without a graph query the values of the program's literals are names too. Long
names go first; case does not count, and a name is put in only as whole words. A question in which something that is
named does not stand, by any of its names, cannot be slotted as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recombine.records.example import Example

GRAPH = "graph_query"
NAME_FIELDS = ("topic_entity", "entities", "topic_name", "topic", GRAPH)
"""The fields, among tags and context, that hold names."""
SLOT = "[]"


class Slotted(NamedTuple):
    """A question with slots."""

    text: str
    entities: int
    """How many things the data has names of, besides the program's literals."""
    named: int
    """How many things have a name, with those."""
    standing: int
    """How many of them stand in the question."""


def slotted_question(example: Example, literals: Iterable[str] = ()) -> Slotted:
    """The question of an example with slots; `literals` are the values of its gold program.

    >>> from recombine.records.example import Example
    >>> slotted_question(Example.of("who led Ann's town in 1990?", "…", tags={"topic": "ann"}), ["1990"])
    Slotted(text="who led []'s town in []?", entities=1, named=2, standing=2)
    """
    beside = {**example.tags, **example.context}
    things: dict[str, set[str]] = {}
    for thing, name in names_beside(beside):
        things.setdefault(thing, set()).add(_plain(name))
    entities = len(things)
    if GRAPH not in beside:
        things.update({value: {_plain(value)} for value in literals})
    text, standing = _plain(example.source), set[str]()
    by_name = sorted({name for names in things.values() for name in names if name}, key=lambda name: (-len(name), name))
    for name in by_name:
        text, count = re.subn(rf"(?<!\w){re.escape(name)}(?!\w)", SLOT, text)
        if count:
            standing.update(thing for thing, names in things.items() if name in names)
    return Slotted(text, entities, len(things), len(standing))


def names_beside(beside: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names with what each is a name of: an entity's own, where the data says it."""
    for field in NAME_FIELDS:
        value = beside.get(field)
        if field == GRAPH:
            yield from _friendly_names(value)
        elif isinstance(value, Mapping):
            yield from ((thing, name) for thing, name in value.items() if isinstance(name, str))
        else:
            names = value if isinstance(value, list | tuple) else [value]
            yield from ((name, name) for name in names if isinstance(name, str))


def _friendly_names(graph: Any) -> Iterator[tuple[str, str]]:
    nodes = graph.get("nodes") if isinstance(graph, Mapping) else None
    for node in nodes if isinstance(nodes, list | tuple) else ():
        if not isinstance(node, Mapping) or node.get("node_type") not in ("entity", "literal"):
            continue
        if node.get("function") not in ("argmax", "argmin"):  # the literal of a superlative is nothing that is said
            yield str(node.get("id")), str(node.get("friendly_name") or "")


def _plain(name: str) -> str:
    return " ".join(name.lower().split())
