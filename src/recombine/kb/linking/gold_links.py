"""What the question of an example mentions by its data: its entities and literals, and where they stand.

Entities and literals are those of a `graph_query`, else the keys of `topic_entity`, else what the target names where it
is an S-expression or SPARQL, else the fields `topic` and `entities`. The literal of a superlative stands in no question
and is left out. Names are those beside each; an entity without one has its own name. Brackets around mentions, as
MetaQA has them, are taken out of the question: they would give the mention away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.kb.linking.words import folded_words, split_words
from recombine.kb.matching.literal_value import literal_value
from recombine.kb.names.names_of import names_of
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.kb.profiles.profile import Profile
    from recombine.records.example import Example

_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_SUPERLATIVES = ("argmax", "argmin")


@dataclass(frozen=True, slots=True)
class GoldLinks:
    """A question without brackets, and what it mentions."""

    text: str
    entities: frozenset[Term]
    literals: frozenset[Term]
    """Each in the one spelling of its value."""
    spans: tuple[tuple[int, int], ...]
    """Where mentions of entities stand, by words: the first, and the one after the last."""
    unplaced: int
    """How many entities stand nowhere in the question by a name that the data has."""


def gold_links(example: Example, language: str | None, profile: Profile) -> GoldLinks:
    """The gold links of an example, whose target is in a language that is known or not."""
    text = unbracketed(example.source)
    entities: dict[Term, set[str]] = {}
    literals: set[Term] = set()
    for term, name in iter_mentioned(example, language, profile):
        if term.kind == '"':
            literals.add(literal_value(term))
        else:
            entities.setdefault(term, set()).add(name)
    words = split_words(text).texts
    placed = [_places(words, sorted(names)) for _, names in sorted(entities.items())]
    spans = sorted({span for own in placed for span in own})
    return GoldLinks(text, frozenset(entities), frozenset(literals), tuple(spans), sum(not own for own in placed))


def unbracketed(text: str) -> str:
    """A question without the brackets around what it mentions.

    >>> unbracketed("what does [Tom Cullen] act in")
    'what does Tom Cullen act in'
    """
    return _BRACKETED.sub(r"\1", text)


def iter_mentioned(example: Example, language: str | None, profile: Profile) -> Iterator[tuple[Term, str]]:
    """What the question of an example mentions by its data: terms with a name each."""
    beside: dict[str, Any] = {**example.tags, **example.context}
    nodes = beside["graph_query"].get("nodes") if isinstance(beside.get("graph_query"), Mapping) else None
    topics = beside.get("topic_entity")
    if isinstance(nodes, list | tuple):
        yield from _of_nodes(nodes, profile)
        return
    if isinstance(topics, Mapping):
        yield from ((profile.term(key), str(name)) for key, name in topics.items())
        return
    # What the target names comes first: answers beside a question are not mentioned in it.
    own: dict[str, Any] = {field: beside[field] for field in ("topic", "entities") if field in beside}
    named = names_of(example.target, language, own, profile)
    yield from ((term, term.text) for term in sorted(named.entities))


def _of_nodes(nodes: Sequence[Any], profile: Profile) -> Iterator[tuple[Term, str]]:
    for number, node in enumerate(nodes):
        if not isinstance(node, Mapping) or node.get("node_type") not in ("entity", "literal"):
            continue
        text = node.get("id")
        if not isinstance(text, str) or not text:
            raise RecombineError(f"node {number} of the graph query has no id", "mend the record")
        if node["node_type"] == "entity":
            yield profile.term(text), str(node.get("friendly_name") or text)
        elif node.get("function") not in _SUPERLATIVES:
            value, _, datatype = text.strip('"').partition("^^")
            yield Term.literal(value.strip('"'), datatype=datatype.strip("<>")), value


def _places(words: Sequence[str], names: Sequence[str]) -> list[tuple[int, int]]:
    """Where the first of some names that stands in a question stands, the longest first."""
    runs = sorted((tuple(folded_words(name)) for name in names), key=lambda run: (-len(run), run))
    for run in runs:
        found = [
            (first, first + len(run))
            for first in range(len(words) - len(run) + 1)
            if run and tuple(words[first : first + len(run)]) == run
        ]
        if found:
            return found[:1]
    return []
