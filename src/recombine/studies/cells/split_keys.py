"""The key of a split before it is made: all that decides on it, from the study file, the data and the files it names.

The version of the package does not belong to it. Each method carries a revision of its own
(`Splitter.revision`), which is raised when the method gives other splits than before; where only some options see the
change, for these alone (`Splitter.revision_of`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets import catalogue
from recombine.datasets.published.digests import published, split_digest
from recombine.errors import RecombineError
from recombine.files import read_bytes
from recombine.records.example import thawed
from recombine.records.world import world_name
from recombine.splits.methods import SPLITTERS
from recombine.studies.cells.digest import bytes_digest, content_key, ids_digest, list_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recombine.records.dataset import Dataset
    from recombine.studies.file.recipe import Recipe


def data_content(dataset: Dataset, *, measure: bool) -> dict[str, Any]:
    """What decides on scores and on what is measured, of the data that a split is of.

    The world and the contexts stand there where they are, and where the content hash does not imply them.
    """
    return {
        **_world_and_contexts(dataset),
        "name": dataset.name,
        "hash": dataset.hash,
        "language": None if dataset.language is None else dataset.language.name,
        "measured": dataset.structures if measure else "",
    }


def _world_and_contexts(dataset: Dataset) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if dataset.world is not None and not dataset.world_is_implied:
        content["world"] = world_name(dataset.world)._asdict()
    has_contexts = not catalogue.is_verified(dataset) and dataset.has("context")
    if has_contexts and any(example.context for example in dataset):
        content["contexts"] = bytes_digest(
            orjson.dumps([[e.id, thawed(e.context)] for e in dataset], option=orjson.OPT_SORT_KEYS)
        )
    return content


def split_data(dataset: Dataset, *, measure: bool, content: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What decides on the splits of data, of the data itself; of large data it takes a minute.

    `content` is what `data_content` gives, where it is known.
    """
    return {
        **(data_content(dataset, measure=measure) if content is None else content),
        # A search can look at structures that are not measured afterwards.
        "structures": dataset.structures,
        "order": ids_digest(dataset.ids),
        "derivations": _derivations(dataset),
    }


def recipe_key(
    recipe: Recipe,
    data: Mapping[str, Any],
    *,
    folder: Path,
    digest_of: Callable[[str], str],
    plugins: Mapping[str, str] | None = None,
) -> str:
    """The key of the split that a recipe makes of the data; paths are relative to the folder of the study file.

    `data` is what `split_data` gives, and `digest_of` gives the digest of a published split by its name.
    """
    return content_key(
        {
            **({"plugins": dict(plugins)} if plugins else {}),
            "data": dict(data),
            **{name: value for name, value in recipe.content().items() if name != "file"},
            "revision": method_revision(recipe),
            "content": _content(recipe, folder, digest_of),
        }
    )


def method_revision(recipe: Recipe) -> int:
    """The revision of the method of a recipe: the one it names, else today's; `predefined` reads files."""
    return today_revision(recipe) if recipe.revision is None else recipe.revision


def today_revision(recipe: Recipe) -> int:
    """The revision of the method as it is now; files and published splits are read by `predefined`."""
    return SPLITTERS.find(recipe.by or "predefined").revision_of(recipe.options)


def _content(recipe: Recipe, folder: Path, digest_of: Callable[[str], str]) -> str | None:
    """A digest of what the split is read from: its file, its published list, a grammar, properties or a threshold."""
    try:
        if recipe.file is not None:
            return bytes_digest(read_bytes(folder / recipe.file))
        if recipe.published is not None:
            return digest_of(recipe.published)
        judged = recipe.options.get("judged")
        if isinstance(judged, str):
            return bytes_digest(read_bytes(folder / judged))
        for name in ("grammar", "properties"):
            own = recipe.options.get(name)
            if isinstance(own, str) and Path(own).is_file():
                return bytes_digest(read_bytes(own))
    except RecombineError:
        return None  # what cannot be read is said when the split is made
    return None


def published_digest(dataset: Dataset, name: str) -> str:
    """The digest of a published split: as it is pinned, else of its parts as they are now."""
    pinned = published(dataset.name).splits if catalogue.is_verified(dataset) else {}
    if name in pinned:
        return pinned[name]
    return split_digest(catalogue.load_split(dataset, name).parts)


def _derivations(dataset: Dataset) -> str | None:
    """A digest of derivations, where they come from a file: the hash of the data does not hold them."""
    if catalogue.is_verified(dataset) or all(example.derivation is None for example in dataset):
        return None
    pieces = (orjson.dumps(None if e.derivation is None else [e.derivation.rules, e.derivation.edges]) for e in dataset)
    return list_digest(pieces)
