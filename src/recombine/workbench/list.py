"""What there is: data sets, methods, presets, and all else that is registered."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    import builtins

REGISTERED = {
    "languages": "recombine.languages.known:LANGUAGES",
    "generators": "recombine.datasets.generators:GENERATORS",
    "structures": "recombine.structures.kinds:STRUCTURE_KINDS",
    "measures": "recombine.measures.known:MEASURES",
    "metrics": "recombine.evaluation.match.matchers:MATCHERS",
    "error_types": "recombine.evaluation.errors.known:ERRORS",
    "models": "recombine.models.known:model_names",
    "worlds": "recombine.records.world:WORLDS",
}
"""Further kinds of things: the key of each, and where its names are."""


@dataclass(frozen=True, repr=False, eq=False)
class ListResult(Result):
    """Names of all that can be named."""

    datasets: tuple[dict[str, Any], ...]
    """A row for each data set: `data`, `description`, `hash`, `splits`, `files`, `missing`, `missing_splits`."""
    methods: tuple[str, ...]
    presets: dict[str, str]
    data_directory: str
    registered: dict[str, tuple[str, ...]]
    """The names of every further kind: languages, worlds, …"""
    plugins: dict[str, str]
    """The plug-ins that are loaded, each with its version or digest."""

    def to_dict(self) -> dict[str, Any]:
        """What `recombine list --json` prints."""
        return {
            "datasets": [dict(row) for row in self.datasets],
            "methods": [*self.methods],
            "presets": dict(self.presets),
            "data_directory": self.data_directory,
            **{kind: [*names] for kind, names in self.registered.items()},
            "plugins": dict(self.plugins),
        }

    def __str__(self) -> str:
        counts = {"data sets": len(self.datasets), "methods": len(self.methods), "presets": len(self.presets)}
        counts |= {kind: len(names) for kind, names in self.registered.items() if names}
        return ", ".join(_counted(count, kind.replace("_", " ")) for kind, count in counts.items())


@verb
def list(*, seed: int = 0) -> ListResult:  # noqa: A001
    """The data sets of the catalogue, the methods of splitting, presets, and all else that is registered.

    >>> "mcd" in list().methods
    True
    """
    from recombine.data_directory import data_directory
    from recombine.datasets.catalogue import CATALOGUE
    from recombine.plugins import LOADED
    from recombine.splits.methods import SPLITTERS
    from recombine.structures.definition import PRESETS

    del seed  # every verb takes it; nothing here is random
    rows: builtins.list[dict[str, Any]] = [
        {
            "data": name,
            "description": entry.description,
            "hash": entry.hash,
            "splits": entry.split_names(),
            "files": [*entry.files],
            "missing": entry.missing(),
            "missing_splits": entry.missing_splits(),
        }
        for name, entry in CATALOGUE.items()
    ]
    return ListResult(
        tuple(rows),
        tuple(SPLITTERS),
        dict(PRESETS),
        str(data_directory()),
        {kind: tuple(_names(place)) for kind, place in REGISTERED.items()},
        {plugin.name: plugin.identity for plugin in LOADED.values()},
    )


def _counted(count: int, kind: str) -> str:
    return f"{count} {kind.removesuffix('s') if count == 1 else kind}"


def _names(place: str) -> builtins.list[str]:
    """The names in a list of things, given as `module:attribute`."""
    module, _, attribute = place.partition(":")
    names = getattr(import_module(module), attribute)
    return [*(names() if callable(names) else names)]
