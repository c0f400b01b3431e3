"""Splits of a study, made once and kept as files beside its results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from recombine.datasets import catalogue
from recombine.errors import OptionError, SizeError
from recombine.records.split import sizes_text
from recombine.seeds import make_generator
from recombine.selection.select_examples import select_examples
from recombine.splits.make_split import make_split, with_measures
from recombine.splits.methods import make_splitter
from recombine.studies.cells.kept_split import read_kept, write_kept
from recombine.studies.cells.split_keys import (
    data_content,
    published_digest,
    recipe_key,
    split_data,
    today_revision,
)
from recombine.studies.cells.with_schemas import split_with_schemas
from recombine.studies.tuning.held_back import HELD_BACK

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.cells.load_data import LazyFeatures
    from recombine.studies.file.recipe import Recipe
    from recombine.studies.tuning.held_back import HeldBack


@dataclass(frozen=True)
class SplitMaker:
    """Makes the splits of one data set of a study, once; files are kept under the keys of their recipes."""

    dataset: Dataset
    features: LazyFeatures
    kept: Path
    folder: Path
    """The folder of the study file."""
    plugins: Mapping[str, str] = field(default_factory=dict)
    """The plug-ins of the study, with their versions or digests."""
    plain: Dataset | None = None
    """The data before schemas were appended to it, which published splits and files of splits are of."""

    _keys: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    _digests: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def key(self, recipe: Recipe) -> str:
        """The key of a recipe; what a published split is read from takes a while with many examples, so once."""
        said = repr((recipe.content(), recipe.revision))
        if said not in self._keys:
            self._keys[said] = recipe_key(
                recipe, self.data, folder=self.folder, plugins=self.plugins, digest_of=self.published_digest
            )
        return self._keys[said]

    @cached_property
    def content(self) -> dict[str, Any]:
        """What decides on scores, of the data; contexts of many examples take a while, so once."""
        return data_content(self.dataset, measure=self.features.measure)

    @cached_property
    def data(self) -> dict[str, Any]:
        """What decides on all splits, of the data."""
        return split_data(self.dataset, measure=self.features.measure, content=self.content)

    def published_digest(self, name: str) -> str:
        """The digest of a published split, once."""
        if name not in self._digests:
            self._digests[name] = published_digest(self.plain or self.dataset, name)
        return self._digests[name]

    def find(self, recipe: Recipe) -> Split | None:
        """The split as it was kept, where it was made before."""
        path = self._path(recipe)
        return read_kept(path, self.dataset) if path.exists() else None

    def make(self, recipe: Recipe) -> Split:
        """The split of a recipe, measured; it is kept for the next time."""
        split = self.find(recipe)
        pinned = recipe.held_back is None and recipe.revision not in (None, today_revision(recipe))
        if split is None and pinned:
            raise OptionError(
                f"the split {recipe.name} is of revision {recipe.revision} of {recipe.by or 'predefined'}, which is at "
                f"{today_revision(recipe)} now, and {self._path(recipe).name} is not in {self.kept}",
                "put the file there, or leave out `revision` to make the split anew",
            )
        if split is None:
            if recipe.held_back is not None:
                split = _without_held_back(self.make(recipe.whole()), recipe.held_back)
            elif recipe.train_size is None:
                split = _made(recipe, self.dataset, self.features, self.folder, self.plain or self.dataset)
            else:
                split = _smaller(self.make(recipe.with_all_of_train()), recipe, self.dataset, recipe.train_size)
            split = _measured(split, recipe, self.dataset, self.features)
            self.kept.mkdir(parents=True, exist_ok=True)
            write_kept(split, self._path(recipe), self.dataset)
        return split

    def _path(self, recipe: Recipe) -> Path:
        return self.kept / f"{self.key(recipe)}.json.gz"


def _made(recipe: Recipe, dataset: Dataset, features: LazyFeatures, folder: Path, plain: Dataset) -> Split:
    if recipe.published is not None:
        return split_with_schemas(catalogue.load_split(plain, recipe.published), dataset)
    if recipe.file is not None:
        return split_with_schemas(catalogue.load_split(plain, folder / recipe.file), dataset)
    judged = recipe.options.get("judged")
    options = recipe.options if not isinstance(judged, str) else {**recipe.options, "judged": str(folder / judged)}
    splitter = make_splitter(str(recipe.by), seed=recipe.seed, **options)
    own = recipe.options.get("structures")
    searched = partial(features.get, needed=True) if own is None else partial(features.of, own)
    return make_split(dataset, splitter, searched, best_effort=recipe.best_effort).split


def _smaller(split: Split, recipe: Recipe, dataset: Dataset, size: int) -> Split:
    """The split with `size` of its train examples, chosen by the seed, in the order of the part."""
    train = split.positions(dataset, "train")
    if not 0 < size <= len(train):
        raise SizeError(f"a train size of {size} of {len(train)} examples", "give a number from 1 to all of them")
    seed = recipe.seed if recipe.train_seed is None else recipe.train_seed
    fields: dict[str, object] = {"train_of": len(train), "train_seed": seed}
    if recipe.train_by is None:
        drawn = sorted(make_generator(seed).permutation(len(train))[:size].tolist())
        kept = tuple(split.train[place] for place in drawn)
    else:
        selection = select_examples(dataset.restricted(split.train), size, by=recipe.train_by, seed=seed)
        kept = _in_order(split.train, selection.ids)
        fields |= {"train_by": recipe.train_by, "train_structures": selection.signature.get("structures") or None}
    parts = {**split.parts, "train": kept}
    signature = split.signature.with_fields(parts=sizes_text(parts), **fields)
    return replace(split, parts=parts, signature=signature, measured={})


def _in_order(train: tuple[str, ...], chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The chosen examples in the order of the part, each once."""
    ids = frozenset(chosen)
    return tuple(dict.fromkeys(key for key in train if key in ids))


def _without_held_back(split: Split, held_back: HeldBack) -> Split:
    """The split whose train lacks what is held back of it; no part but these two is in it."""
    train, rest = held_back.draw(split.train)
    parts = {"train": train, HELD_BACK: rest}
    fields = {"held_back": held_back.share, "held_back_of": len(split.train), "held_back_seed": held_back.seed}
    signature = split.signature.with_fields(parts=sizes_text(parts), **fields)
    return replace(split, parts=parts, signature=signature, measured={})


def _measured(split: Split, recipe: Recipe, dataset: Dataset, features: LazyFeatures) -> Split:
    """With what is measured on it; a split with an empty side is left as it is, and refused with its cells.

    Of a part of train that is held back nothing is measured: it is a random one.
    """
    if recipe.held_back is not None or not split.parts.get("train") or not split.parts.get(recipe.part):
        return split
    return with_measures(split, dataset, features.get(), against=recipe.part)
