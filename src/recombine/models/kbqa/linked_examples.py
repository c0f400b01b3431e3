"""Questions with links by any way: those of the data, of a dictionary, of a tagger and a dictionary, or of a file.

What is neither the data's nor the plain linker's is handed on as what a data set says of a question, nodes of entities
and literals, so that the same code makes arrays of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.datasets.kbqa_made.read_names import read_names
from recombine.errors import KnowledgeBaseError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.linking.gold_links import unbracketed
from recombine.kb.linking.linker import Linker
from recombine.kb.linking.store_forms import facts_of_each, store_forms
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.models.kbqa.kbqa_settings import GOLD, LINKER, TAGGER, WAYS
from recombine.models.kbqa.link_file import linked_by, read_link_nodes
from recombine.models.kbqa.mention_tagger import mention_tagger
from recombine.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.linking.link import Link
    from recombine.kb.linking.tagger import Tagger
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store
    from recombine.records.example import Example


def linked_examples(
    examples: Sequence[Example],
    links: str,
    store: Store,
    names: str = "",
    *,
    tagger: Tagger | None = None,
    learned: Sequence[Example] = (),
    language: str = "",
) -> tuple[Sequence[Example], str]:
    """The examples and the way to link them; all but the plain linker's links are then those of the data.

    A tagger that is not given is trained on the examples that are learned from, whose targets are in a language.
    """
    if links == GOLD:
        return examples, GOLD
    if links not in WAYS:
        return linked_by(examples, read_link_nodes(links)), GOLD
    forms = _named_forms(store, names) if names else None
    if links == LINKER and forms is None:
        return examples, LINKER
    linker = Linker(forms or store_forms(store))
    if links == TAGGER:
        made = tagger or mention_tagger(learned, language, store.profile, linker.forms)
        linker = Linker(linker.forms, mentions=TAGGER, tagger=made)
    return _linked(examples, linker, store.profile), GOLD


def trained_tagger(examples: Sequence[Example], store: Store, names: str, language: str) -> Tagger:
    """The tagger of examples that are learned from."""
    forms = (_named_forms(store, names) if names else None) or store_forms(store)
    return mention_tagger(examples, language, store.profile, forms)


def _linked(examples: Sequence[Example], linker: Linker, profile: Profile) -> list[Example]:
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


def _named_forms(store: Store, names: str) -> SurfaceForms | None:
    """The names of a file, as popular as their entities have facts; none where it names no entity of the store."""
    if not isinstance(store, EmbeddedStore):
        raise KnowledgeBaseError("names are counted by the facts of an index alone", "build one with kb build")
    facts = facts_of_each(store)
    known = ((name, term, store.id(term)) for term, name in sorted(read_names(names, store.profile).items()))
    entries = [(name, term, int(facts[number])) for name, term, number in known if number >= 0]
    return SurfaceForms.of(entries) if entries else None
