"""Questions with links by any way: those of the data, of a linker, of a linker over a file of names, or of a file.

What is neither the data's nor the plain linker's is handed on as what a data set says of a question, nodes of entities
and literals, so that the same code makes arrays of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from recombine.errors import KnowledgeBaseError
from recombine.kb.linking.gold_links import unbracketed
from recombine.kb.linking.linker import Linker
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.models.kbqa.asked_query import GOLD
from recombine.models.kbqa.link_file import linked_by, read_link_nodes
from recombine.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.kb.linking.link import Link
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store
    from recombine.records.example import Example

LINKER = "linker"
WAYS = (GOLD, LINKER)


def linked_examples(
    examples: Sequence[Example], links: str, store: Store, names: str = ""
) -> tuple[Sequence[Example], str]:
    """The examples and the way to link them; links of a file, or by names of a file, are then those of the data."""
    forms = _forms(store, names) if links == LINKER and names else None
    if forms is not None:
        return _by_names(examples, store.profile, forms), GOLD
    if links in WAYS:
        return examples, links
    return linked_by(examples, read_link_nodes(links)), GOLD


def _by_names(examples: Sequence[Example], profile: Profile, forms: SurfaceForms) -> list[Example]:
    linker = Linker(forms)
    nodes: dict[str, list[dict[str, Any]]] = {}
    for example in tracked(examples, "linking questions", total=len(examples)):
        found = linker.link(unbracketed(example.source)) if example.source.strip() else []
        nodes[example.id] = [_node(link, place, profile) for link in found for place in range(link.chosen)]
    return linked_by(examples, nodes)


def _node(link: Link, place: int, profile: Profile) -> dict[str, Any]:
    term = link.terms[place].term
    if term.kind == '"':
        return {"node_type": "literal", "id": f"{term.text}^^{term.datatype}", "friendly_name": link.text}
    return {"node_type": "entity", "id": profile.show(term), "friendly_name": link.text}


@lru_cache(maxsize=2)
def _forms(store: Store, names: Path | str) -> SurfaceForms | None:
    """The names of a file, as popular as their entities have facts; none where it names no entity of the store."""
    from recombine.datasets.kbqa_made.read_names import read_names
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.linking.store_forms import facts_of_each

    if not isinstance(store, EmbeddedStore):
        raise KnowledgeBaseError("names are counted by the facts of an index alone", "build one with kb build")
    facts = facts_of_each(store)
    known = ((name, term, store.id(term)) for term, name in sorted(read_names(names, store.profile).items()))
    entries = [(name, term, int(facts[number])) for name, term, number in known if number >= 0]
    return SurfaceForms.of(entries) if entries else None
