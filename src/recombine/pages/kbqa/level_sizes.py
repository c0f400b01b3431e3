"""The level of every question and the size of each level by part: as a split gives it, else as the data says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.measures.levels.levels import LEVELS
from recombine.measures.levels.split_levels import TAG, split_levels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.pages.kbqa.question_table import QuestionTable
    from recombine.records.split import Split

TRAIN, UNUSED, UNKNOWN = "train", "in no part", "unknown"
AS_TAGGED = "as the data says"


@dataclass(frozen=True)
class LevelSizes:
    """The level of each question, and how many each part has of each."""

    of_rows: tuple[str, ...]
    """The level of each question; `train` in train, and empty where nothing says it."""
    parts: Mapping[str, Mapping[str, int]]
    """By part the number of questions of each level; that of train has no level."""
    sizes: Mapping[str, int]
    held_out: Mapping[str, tuple[str, ...]]
    """The domains that are held out for each part."""
    told_by: str
    """The name of the split, or that the data says levels; empty where nothing does."""

    @property
    def names(self) -> list[str]:
        """The levels that some question has, in order."""
        return [name for name in (*LEVELS, TRAIN, UNUSED, UNKNOWN) if name in self.of_rows]

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "told_by": self.told_by or None,
            "sizes": dict(self.sizes),
            "parts": {name: dict(levels) for name, levels in self.parts.items()},
            "held_out": {name: list(domains) for name, domains in self.held_out.items()},
        }


def level_sizes(table: QuestionTable, split: Split | None = None, name: str = "") -> LevelSizes:
    """The levels of a set by a split, else by the tag `level` of its questions."""
    return _as_tagged(table) if split is None else _by_split(table, split, name)


def _by_split(table: QuestionTable, split: Split, name: str) -> LevelSizes:
    of_rows = [UNUSED] * len(table.items)
    for row in split.positions(table.dataset, TRAIN) if TRAIN in split.parts else ():
        of_rows[row] = TRAIN
    found = split_levels(table.dataset, split, table.features)
    for part in found.values():
        for place, row in enumerate(part.rows):
            of_rows[row] = part.level(place) or UNKNOWN
    held_out = {part: tuple(sorted(filter(None, split.signature.get(f"held_out_{part}").split(",")))) for part in found}
    return LevelSizes(
        tuple(of_rows),
        {part: dict(levels.counts) for part, levels in found.items()},
        {part: len(ids) for part, ids in split.parts.items()},
        {part: domains for part, domains in held_out.items() if domains},
        name or "the split",
    )


def _as_tagged(table: QuestionTable) -> LevelSizes:
    tags = [example.tags.get(TAG) for example in table.items]
    said = tuple(tag if tag in (*LEVELS, TRAIN) else "" for tag in tags if isinstance(tag, str) or tag is None)
    if len(said) != len(tags) or not any(said):
        return LevelSizes(("",) * len(tags), {}, {}, {}, "")
    counts = Counter(said)
    return LevelSizes(
        said,
        {"all questions": {level: counts[level] for level in LEVELS}},
        {"all questions": len(tags)} | ({TRAIN: counts[TRAIN]} if counts[TRAIN] else {}),
        {},
        AS_TAGGED,
    )
