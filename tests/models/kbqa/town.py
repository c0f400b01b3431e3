"""Questions over the small town of the documentation, for tests that want a store, links and forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from recombine.kb.open_store import open_store
from recombine.kb.store import Store
from recombine.records.example import Example

FILE = Path(__file__).parents[3] / "docs" / "examples" / "my.ttl"
ONTO = "https://town.example/"
PEOPLE = ("Ada_Berg", "Dan_Lind", "Gita_Voss", "Jan_Adler", "Max_Berg", "Pia_Lind", "Ben_Adler", "Eva_Berg")
TINY: dict[str, Any] = {"width": 16, "word_width": 8, "epochs": 2, "batch": 8, "patience": 3}
"""Settings of a network that is trained in a moment."""


def town() -> Store:
    """The store of the town."""
    return open_store(FILE)


def entity(name: str) -> str:
    """An entity as a form has it."""
    return f"<{ONTO}id/{name}>"


def question(number: int) -> Example:
    """The question of a number: of whom someone is a neighbour, or who wrote what."""
    name, times = PEOPLE[number % len(PEOPLE)], number // (2 * len(PEOPLE))
    called, please = name.replace("_", " "), ", please" * times
    if number // len(PEOPLE) % 2:
        source, target = (
            f"who is the neighbour of {called}{please}?",
            f"(JOIN (R <{ONTO}people/neighbour>) {entity(name)})",
        )
    else:
        source, target = f"which book has the author {called}{please}?", f"(JOIN <{ONTO}library/author> {entity(name)})"
    nodes = [
        {"nid": 0, "node_type": "class", "id": f"<{ONTO}library/Book>", "question_node": 1, "function": "none"},
        {"nid": 1, "node_type": "entity", "id": entity(name), "friendly_name": called, "function": "none"},
    ]
    edges = [{"start": 0, "end": 1, "relation": f"<{ONTO}library/author>"}]
    return Example.of(source, target, tags={"graph_query": {"nodes": nodes, "edges": edges}})  # type: ignore[dict-item]


def questions(numbers: range) -> list[Example]:
    """The questions of some numbers."""
    return [question(number) for number in numbers]
