"""The three-level split of data that was just generated, and the level of each example as a tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import InfeasibleError, OptionError
from recombine.progress import note, working

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.splits.hold_out.levels import LevelsSplitter


@dataclass(frozen=True)
class LevelSplit:
    """Data with the levels of its split as tags, and the split; none where there is none to be had."""

    dataset: Dataset
    split: Split | None
    levels: Mapping[str, Mapping[str, int]]
    """How many examples of each part but train are of each level."""
    problem: str = ""
    """Why there is no split."""


def level_splitter(options: Mapping[str, Any], seed: int) -> LevelsSplitter:
    """The splitter of some wishes, which are checked; a size that is none is the usual one."""
    from recombine.splits.hold_out.levels import LevelsSplitter
    from recombine.splits.sizes import parse_size

    sizes: dict[str, Any] = {
        name: parse_size(options[name]) for name in ("dev", "test") if options.get(name) is not None
    }
    rest = {name: value for name, value in options.items() if name not in ("dev", "test")}
    return LevelsSplitter(**sizes, **rest, max_unused=1.0, seed=seed)


def level_split(dataset: Dataset, options: Mapping[str, Any], seed: int) -> LevelSplit:
    """The split of data, said where it is not what is usual; the data stays where it cannot be split."""
    from recombine.measures.levels.level_definition import level_definition
    from recombine.measures.levels.level_features import level_features
    from recombine.measures.levels.split_levels import TAG, split_levels
    from recombine.splits.fitted_levels import fitted_levels

    splitter = level_splitter(options, seed)
    fixed = any(options.get(name) is not None for name in ("dev", "test"))
    with working("splitting by levels"):
        try:
            made = fitted_levels(dataset, splitter, fixed_sizes=fixed)
        except (InfeasibleError, OptionError) as error:
            problem = f"the questions are not split: {error.problem}"
            note(f"{problem}; {_remedy(error)}")
            return LevelSplit(dataset, None, {}, problem)
        for text in made.notes:
            note(text)
        definition, _ = level_definition(dataset)
        parts = split_levels(dataset, made.split, level_features(dataset, definition))
        tags: list[str | None] = [None] * len(dataset)
        for part in parts.values():
            for place, row in enumerate(part.rows):
                tags[row] = part.level(place)
    counts = {name: part.counts for name, part in parts.items()}
    return LevelSplit(dataset.with_tag(TAG, tags), made.split, counts)


def _remedy(error: InfeasibleError | OptionError) -> str:
    """What can be done by somebody who has the questions already."""
    return f"{error.remedy}; then `recombine split FILE --by levels --language sexpression` with these options"
