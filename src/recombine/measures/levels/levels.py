"""The level of an example against those that train, or a prompt, shows.

An unseen schema item makes it zero-shot; else an unseen template makes it compositional; else it is i.i.d.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.measures.levels.level_features import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.measures.levels.level_features import LevelFeatures

IID, COMPOSITIONAL, ZERO_SHOT = "i.i.d.", "compositional", "zero-shot"
LEVELS = (IID, COMPOSITIONAL, ZERO_SHOT)


class Level(NamedTuple):
    """The level of an example, and what it is for."""

    level: str | None
    """One of `LEVELS`; none where the program cannot be read."""
    unseen_items: tuple[str, ...] = ()
    unseen_template: str | None = None


def level_numbers(features: LevelFeatures, shown: Sequence[int], rows: Sequence[int]) -> NDArray[np.int8]:
    """The place in `LEVELS` of each of some examples against those that are shown; -1 where it cannot be read."""
    wanted = np.asarray(rows, np.int64)
    levels = np.zeros(len(wanted), np.int8)
    templates = features.templates[wanted]
    levels[~np.append(features.seen_templates(shown), True)[templates]] = LEVELS.index(COMPOSITIONAL)
    at, owner = features.entries(wanted)
    levels[owner[~features.seen_items(shown)[features.items[at]]]] = LEVELS.index(ZERO_SHOT)
    levels[templates == UNREADABLE] = UNREADABLE
    return levels


def levels_against(features: LevelFeatures, shown: Sequence[int], rows: Sequence[int]) -> list[Level]:
    """The level of each of some examples against those that are shown, with what is unseen.

    >>> from recombine.measures.levels.level_definition import LevelDefinition
    >>> from recombine.measures.levels.level_features import level_features
    >>> from recombine.workbench import load
    >>> texts = ["count ( find ( dog ) )", "exists ( cat )", "count ( dog )", "most ( dog )"]
    >>> data = load([(text, text) for text in texts], language="functional")
    >>> for level in levels_against(level_features(data, LevelDefinition()), [0, 1], [1, 2, 3]):
    ...     print(level)
    Level(level='i.i.d.', unseen_items=(), unseen_template=None)
    Level(level='compositional', unseen_items=(), unseen_template='count ( ENTITY )')
    Level(level='zero-shot', unseen_items=('most',), unseen_template=None)
    """
    seen = features.seen_items(shown)
    return [
        _level(features, row, number, seen)
        for row, number in zip(rows, level_numbers(features, shown, rows), strict=True)
    ]


def _level(features: LevelFeatures, row: int, number: np.int8, seen: NDArray[np.bool_]) -> Level:
    if number == UNREADABLE:
        return Level(None)
    level = LEVELS[number]
    if level == ZERO_SHOT:
        items = features.items_of(row)
        return Level(level, tuple(features.names[item] for item in items[~seen[items]]))
    if level == COMPOSITIONAL:
        return Level(level, (), features.template_texts[features.templates[row]])
    return Level(level)
