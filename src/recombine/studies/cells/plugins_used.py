"""Whether a study names the plug-ins that it uses: only those are in the keys of its cells and in all its processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from recombine.datasets.catalogue import CATALOGUE
from recombine.datasets.generators import GENERATORS
from recombine.errors import OptionError
from recombine.evaluation.match.matchers import MATCHERS
from recombine.languages.known import LANGUAGES
from recombine.measures.known import MEASURES
from recombine.models.known import MODELS, find_family
from recombine.plugins import LOADED
from recombine.records.world import WORLDS
from recombine.splits.methods import SPLITTERS
from recombine.structures.definition import Structures
from recombine.structures.joined_definition import kind_names
from recombine.structures.kinds import STRUCTURE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recombine.languages.language import Language
    from recombine.plugins import Plugin, Registry
    from recombine.records.world import World, WorldReference
    from recombine.studies.file.study_file import StudyFile


class Described(Protocol):
    """What is known of a data set besides its examples."""

    @property
    def language(self) -> Language | None:
        """The language of its targets."""

    @property
    def world(self) -> World | WorldReference | None:
        """What the examples are about."""

    @property
    def structures(self) -> str:
        """The structure definition used where the user names none."""


def check_plugins_used(study: StudyFile, datasets: Mapping[str, Described], named: Iterable[Plugin]) -> None:
    """Refuse what is of a plug-in that is loaded here and that the study does not name."""
    places = {plugin.place for plugin in named}
    for registry, name in _iter_used(study, datasets):
        origin = registry.origin(name)
        if origin in LOADED and origin not in places:
            plugin = LOADED[origin].name
            raise OptionError(
                f"the {registry.kind} {name!r} is of the plug-in {plugin}, which the study does not name",
                f"add plugins = [{plugin!r}] at the top",
            )


def _iter_used(study: StudyFile, datasets: Mapping[str, Described]) -> Iterator[tuple[Registry[Any], str]]:
    """The things that results of a study depend on, each in its list."""
    for table in study.data:
        yield from (
            (registry, name) for registry, name in ((CATALOGUE, table.id), (GENERATORS, table.generate)) if name
        )
        yield from _iter_used_of(datasets[table.label])
    for split in study.split:
        if split.by is not None:
            yield SPLITTERS, split.by
        for definition in split.structures:
            yield from _iter_kinds(definition)
    for model in study.model:
        yield MODELS, find_family(model.preset).name
    yield from ((MEASURES, name) for name in MEASURES)


def _iter_used_of(dataset: Described) -> Iterator[tuple[Registry[Any], str]]:
    if dataset.language is not None:
        yield LANGUAGES, dataset.language.name
    if dataset.world is not None:
        yield WORLDS, dataset.world.kind
    if dataset.structures:
        yield from _iter_kinds(dataset.structures)
    yield from ((MATCHERS, name) for name, offered in MATCHERS.items() if offered.serves(dataset.language))


def _iter_kinds(definition: str) -> Iterator[tuple[Registry[Any], str]]:
    structures = Structures.parse(definition)
    kinds = (structures.atoms.kind, *kind_names(structures.compounds))
    yield from ((STRUCTURE_KINDS, kind) for kind in kinds)
