"""The levels of all parts of a split against train, or of each example against what its own prompt showed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import SplitError
from recombine.measures.levels.level_features import UNREADABLE
from recombine.measures.levels.levels import LEVELS, level_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.measures.levels.level_features import LevelFeatures
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

TAG = "level"
"""The tag by which data says the level of an example."""
WITHOUT_PROMPT = -2
"""The number of an example for which no prompt is given."""


@dataclass(frozen=True)
class PartLevels:
    """The examples of a part, each with the place of its level in `LEVELS`."""

    rows: Sequence[int]
    numbers: NDArray[np.int8]
    """`UNREADABLE` where the program cannot be read, `WITHOUT_PROMPT` where nothing was shown for it."""

    @property
    def counts(self) -> dict[str, int]:
        """How many examples there are of each level."""
        return {level: int(np.count_nonzero(self.numbers == number)) for number, level in enumerate(LEVELS)}

    @property
    def unreadable(self) -> int:
        """How many programs cannot be read."""
        return int(np.count_nonzero(self.numbers == UNREADABLE))

    @property
    def without_prompt(self) -> int:
        """How many examples have no line in the file of what was shown."""
        return int(np.count_nonzero(self.numbers == WITHOUT_PROMPT))

    def to_record(self) -> dict[str, Any]:
        """Counts, and shares of the examples that have a level."""
        counts = self.counts
        total = sum(counts.values())
        shares = {level: None if not total else count / total for level, count in counts.items()}
        return {"n": total, "counts": counts, "shares": shares}

    def level(self, place: int) -> str | None:
        """The level of the example at a place of the part; none where it has none."""
        number = int(self.numbers[place])
        return LEVELS[number] if number >= 0 else None


def split_levels(
    dataset: Dataset, split: Split, features: LevelFeatures, *, shown: Mapping[str, Sequence[int]] | None = None
) -> dict[str, PartLevels]:
    """The levels of every part but train, by the name of the part.

    With `shown`, rows by the id of an example, an example is compared with what was shown for it, and the split's train
    is not looked at.
    """
    if shown is None and not split.parts.get("train"):
        raise SplitError("the split has no train examples to compare with", "give a split with some")
    names = [name for name in split.parts if name != "train"]
    if not any(split.parts[name] for name in names):
        raise SplitError("the split has no examples but those of train", "give a split with a test part")
    levels = {}
    for name in names:
        rows = split.positions(dataset, name)
        if shown is None:
            numbers = level_numbers(features, split.positions(dataset, "train"), rows)
        else:
            numbers = _against_prompts(dataset, features, rows, shown)
        levels[name] = PartLevels(rows, numbers)
    return levels


def _against_prompts(
    dataset: Dataset, features: LevelFeatures, rows: Sequence[int], shown: Mapping[str, Sequence[int]]
) -> NDArray[np.int8]:
    ids = dataset.ids
    numbers = np.full(len(rows), WITHOUT_PROMPT, np.int8)
    for place, row in enumerate(rows):
        if ids[row] in shown:
            numbers[place] = _number(features, shown[ids[row]], row)
    return numbers


def _number(features: LevelFeatures, shown: Sequence[int], row: int) -> int:
    """The number of one example; the few that are shown are looked through."""
    template = int(features.templates[row])
    if template == UNREADABLE:
        return UNREADABLE
    seen = {int(item) for each in shown for item in features.items_of(each)}
    if not seen.issuperset(features.items_of(row).tolist()):
        return 2
    return 0 if template in {int(features.templates[each]) for each in shown} else 1


def tag_table(dataset: Dataset, levels: PartLevels) -> dict[str, dict[str, int]]:
    """How many examples of each tagged level, in the order of `LEVELS`, have each level; empty without such tags."""
    counted: Counter[tuple[str, str]] = Counter()
    for place, row in enumerate(levels.rows):
        tagged, level = dataset[row].tags.get(TAG), levels.level(place)
        if isinstance(tagged, str) and level is not None:
            counted[tagged, level] += 1
    tags = sorted({tagged for tagged, _ in counted}, key=lambda tag: (LEVELS.index(tag) if tag in LEVELS else 9, tag))
    return {tag: {level: counted[tag, level] for level in LEVELS} for tag in tags}
