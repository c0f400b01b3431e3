"""The splits of data that is not at hand, of which facts are kept: their keys, and what their files say without ids."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.studies.cells.kept_split import KeptSplit
from recombine.studies.cells.split_keys import recipe_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.studies.cells.data_facts import DataFacts
    from recombine.studies.file.recipe import Recipe


@dataclass(frozen=True)
class KnownSplits:
    """The splits of one data set of a study, where the data is known by its facts alone."""

    facts: DataFacts
    kept: Path
    folder: Path
    """The folder of the study file."""
    plugins: Mapping[str, str]
    """The plug-ins of the study, with their versions or digests."""

    @property
    def content(self) -> Mapping[str, Any]:
        """What decides on scores, of the data."""
        return self.facts.content

    def key(self, recipe: Recipe) -> str:
        """The key of a recipe, as it is where the data is at hand."""
        return recipe_key(
            recipe,
            self.facts.splits,
            folder=self.folder,
            plugins=self.plugins,
            digest_of=self.facts.published.__getitem__,
        )

    def find(self, recipe: Recipe) -> KeptSplit | None:
        """What was kept of the split, where it was made before."""
        path = self.kept / f"{self.key(recipe)}.json.gz"
        return KeptSplit(path) if path.exists() else None


def are_known(facts: DataFacts, recipes: Iterable[Recipe]) -> bool:
    """Whether the facts say enough for the keys of these recipes: a published split may be in a file, or elsewhere."""
    names = {recipe.published for recipe in recipes if recipe.published is not None}
    return all(name in facts.published and not Path(name).exists() for name in names)
