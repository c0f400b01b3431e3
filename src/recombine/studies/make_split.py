"""Splits of a study, made once and kept as files beside its results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.datasets import catalogue
from recombine.errors import InfeasibleError, SizeError
from recombine.measures.measure_split import measure_split
from recombine.records.split import parse_split, read_split_file, sizes_text
from recombine.seeds import make_generator
from recombine.splits.methods import make_splitter
from recombine.splits.sizes import Sizes
from recombine.studies.digest import content_key
from recombine.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.load_data import LazyFeatures
    from recombine.studies.recipe import Recipe


def recipe_key(recipe: Recipe, dataset: Dataset) -> str:
    """The key of what the recipe and the data say; that of a split before it is made."""
    return content_key({"data": f"{dataset.name}@{dataset.hash}", "version": __version__, **recipe.content()})


def find_split(recipe: Recipe, dataset: Dataset, kept: Path) -> Split | None:
    """The split as it was kept, where it was made before."""
    path = kept / f"{recipe_key(recipe, dataset)}.json"
    return parse_split(read_split_file(path), path, dataset, []) if path.exists() else None


def make_split(recipe: Recipe, dataset: Dataset, features: LazyFeatures, kept: Path, folder: Path) -> Split:
    """The split of a recipe, measured; it is kept for the next time."""
    found = find_split(recipe, dataset, kept)
    if found is None:
        if recipe.train_size is None:
            found = _made(recipe, dataset, features, folder)
        else:
            whole = make_split(replace(recipe, train_size=None), dataset, features, kept, folder)
            found = _smaller(whole, recipe, dataset, recipe.train_size)
        found = _measured(found, recipe, dataset, features)
        kept.mkdir(parents=True, exist_ok=True)
        found.write(kept / f"{recipe_key(recipe, dataset)}.json")
    return found


def _made(recipe: Recipe, dataset: Dataset, features: LazyFeatures, folder: Path) -> Split:
    if recipe.published is not None:
        return catalogue.load_split(dataset, recipe.published)
    if recipe.file is not None:
        return catalogue.load_split(dataset, folder / recipe.file)
    splitter = make_splitter(str(recipe.by), seed=recipe.seed, **recipe.options)
    Sizes(splitter.train, splitter.dev, splitter.test).counts(len(dataset))
    if splitter.needs_features:
        used = features.get(needed=True)
        if used is not None:
            extra: dict[str, Any] = {"features": used, "structures": str(used.structures)}
            splitter = replace(splitter, **extra)
    try:
        return splitter.split(dataset)
    except InfeasibleError as error:
        if recipe.best_effort and error.best is not None:
            best: Split = error.best
            return best
        raise


def _smaller(split: Split, recipe: Recipe, dataset: Dataset, size: int) -> Split:
    """The split with so many of its train examples, drawn by the seed; in the order of the part."""
    train = split.positions(dataset, "train")
    if not 0 < size <= len(train):
        raise SizeError(f"a train size of {size} of {len(train)} examples", "give a number from 1 to all of them")
    drawn = sorted(make_generator(recipe.seed).permutation(len(train))[:size].tolist())
    parts = {**split.parts, "train": tuple(split.train[place] for place in drawn)}
    signature = split.signature.with_fields(parts=sizes_text(parts), train_of=len(train), train_seed=recipe.seed)
    return replace(split, parts=parts, signature=signature, measured={})


def _measured(split: Split, recipe: Recipe, dataset: Dataset, features: LazyFeatures) -> Split:
    """With what is measured on it; a split with an empty side is left as it is, and refused with its cells."""
    if not split.parts.get("train") or not split.parts.get(recipe.part):
        return split
    return split.with_measured(measure_split(dataset, split, features=features.get(), against=recipe.part))
