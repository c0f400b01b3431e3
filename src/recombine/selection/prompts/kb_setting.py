"""What questions over a knowledge base are linked and pruned by: a store or none, a profile, an ontology, and links."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError
from recombine.kb.forms.form_of_text import NOTATION_OF
from recombine.kb.kb_world import KIND
from recombine.progress import note, working

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store
    from recombine.records.dataset import Dataset
    from recombine.selection.prompts.near_schema import NearSchema

LINKER, GOLD, NONE = "linker", "gold", "none"
"""How entities are linked; any other is the path of a file."""


class KbSetting(NamedTuple):
    """The setting of a data set whose prompts speak of a knowledge base, or whose answers are rewritten."""

    links: str
    """How entities are linked; empty where prompts have none."""
    profile: Profile
    ontology: Ontology | None = None
    store: Store | None = None

    def near_schema(self) -> NearSchema | None:
        """What finds the schema near links: facts, else an ontology; none where nothing says it."""
        from recombine.selection.prompts.near_schema import NearClasses, NearFacts

        if self.store is not None and self.ontology is not None:
            return NearFacts(self.store, self.ontology)
        return None if self.ontology is None else NearClasses(self.ontology)


def kb_setting(
    dataset: Dataset,
    links: str | Path | None = None,
    *,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    rewritten: bool = False,
) -> KbSetting | None:
    """The setting of a data set; none where its prompts speak of no knowledge base and no answer is `rewritten`.

    Without `links`, the linker makes them where the data has a store, and nothing where it has none.
    """
    store = _store(dataset)
    way = str(links) if links is not None else LINKER if store is not None else NONE
    if way == LINKER and store is None:
        raise OptionError(
            f"{dataset.name} has no knowledge base to link to", "name it with --kb PLACE, or give --links gold or FILE"
        )
    if links is None and store is None and _has_forms(dataset):
        note(
            "no knowledge base is known: prompts have neither entities nor schema; name it with --kb PLACE, or take "
            "what the data says of entities with --links gold"
        )
    if way == NONE and not rewritten:
        return None
    said = "" if way == NONE else way
    if store is None:
        return KbSetting(said, *_by_names(dataset, ontology=ontology, profile=profile))
    from recombine.kb.ontology.store_ontology import store_ontology

    with working("reading the schema"):
        return KbSetting(said, store.profile, store_ontology(store, ontology), store)


def _store(dataset: Dataset) -> Store | None:
    if dataset.world is None or dataset.world.kind != KIND:
        return None
    world: Store | None = dataset.opened_world  # type: ignore[assignment]  # a world of this kind is a store
    return world


def _has_forms(dataset: Dataset) -> bool:
    return dataset.language is not None and dataset.language.name in NOTATION_OF


def _by_names(
    dataset: Dataset, *, ontology: Path | str | None, profile: Path | str | None
) -> tuple[Profile, Ontology | None]:
    """The profile that the data's names are of, and the ontology that is known for them."""
    from recombine.kb.ontology.default_ontology import ontology_for
    from recombine.kb.profiles.find_profile import find_profile
    from recombine.measures.levels.level_definition import level_definition

    if _has_forms(dataset):
        definition, _ = level_definition(dataset, profile=profile, ontology=ontology)
        if definition.profile is not None:
            return definition.profile, definition.ontology
    known = find_profile("plain" if profile is None else profile)
    return known, ontology_for(known, ontology)[0]
