"""What is linked in a question: entities and literals by the words that mention them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import RecordError
from recombine.kb.linking.gold_links import iter_mentioned

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recombine.kb.linking.link import Link
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example


class Linked(NamedTuple):
    """Terms, each with the words that mention it, and the classes that the data says entities to be of."""

    terms: tuple[tuple[Term, str], ...] = ()
    classes: tuple[Term, ...] = ()


def gold_linked(example: Example, language: str | None, profile: Profile) -> Linked:
    """What the data itself says that a question mentions."""
    return Linked(tuple(dict.fromkeys(iter_mentioned(example, language, profile))), tuple(_classes(example, profile)))


def found_linked(links: tuple[Link, ...]) -> Linked:
    """What a linker has found; of a mention all terms that it is linked to."""
    return Linked(tuple(dict.fromkeys((term, link.text) for link in links for term in link.linked)))


def read_linked(path: Path | str, dataset: Dataset, profile: Profile) -> dict[str, Linked]:
    """What a file says, by the ids of questions: lines `{id, entities}`, or those that `kb link -o` writes."""
    from recombine.files import read_text
    from recombine.json_lines import iter_json_lines

    read: dict[str, Linked] = {}
    for number, row in iter_json_lines(read_text(path), path):
        key, where = str(row.get("id")), f"line {number}"
        if key not in dataset:
            raise RecordError(path, where, f"the data has no question {row.get('id')!r}", "give the links of this data")
        if key in read:
            raise RecordError(path, where, f"the question {key!r} is there before", "give each question once")
        names = list(_names(row))
        if not ("entities" in row or "links" in row) or not all(isinstance(text, str) and text for text, _ in names):
            raise RecordError(path, where, "has no list of names in 'entities'", 'give {"id": …, "entities": […]}')
        read[key] = Linked(tuple(dict.fromkeys((profile.term(text), said) for text, said in names)))
    return read


def _names(row: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """The names that a line links to, each with the words that mention it."""
    for name in _list(row.get("entities")):
        yield name, ""
    for link in _list(row.get("links")):
        said = link if isinstance(link, Mapping) else {}
        for name in _list(said.get("linked")):
            yield name, str(said.get("text", ""))


def _list(value: Any) -> list[Any]:
    """A list as it is, nothing for nothing, and for what is no list one thing that is no name."""
    return value if isinstance(value, list) else [] if value is None else [None]


def _classes(example: Example, profile: Profile) -> Iterator[Term]:
    """The classes of the entities in a graph query beside an example."""
    beside: dict[str, Any] = {**example.tags, **example.context}
    graph = beside.get("graph_query")
    nodes = graph.get("nodes") if isinstance(graph, Mapping) else None
    for node in nodes if isinstance(nodes, list | tuple) else ():
        if isinstance(node, Mapping) and node.get("node_type") == "entity" and isinstance(node.get("class"), str):
            yield profile.term(node["class"])
