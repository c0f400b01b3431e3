"""The schema items and the template of every example of a data set, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError, RecombineError
from recombine.measures.levels.program_reader import program_reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.measures.levels.level_definition import LevelDefinition
    from recombine.measures.levels.program_reader import Described
    from recombine.records.dataset import Dataset

UNREADABLE = -1
"""The template of a program that cannot be read."""


@dataclass(frozen=True)
class LevelFeatures:
    """What levels are told by; rows are those of the data set."""

    names: tuple[str, ...]
    """All schema items, sorted."""
    domains: tuple[str, ...]
    """The domain of each, empty where it has none."""
    starts: NDArray[np.int64]
    """Where the items of each example begin, and the end of all."""
    items: NDArray[np.int32]
    templates: NDArray[np.int64]
    """The number of each example's template, or `UNREADABLE`."""
    template_texts: tuple[str, ...]
    unreadable: dict[int, str] = field(default_factory=dict)
    """The rows of programs that cannot be read, each with why."""

    def items_of(self, row: int) -> NDArray[np.int32]:
        """The numbers of an example's items."""
        return self.items[self.starts[row] : self.starts[row + 1]]

    def seen_items(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which items some of these examples have."""
        seen = np.zeros(len(self.names), np.bool_)
        seen[self.items[self.entries(rows)[0]]] = True
        return seen

    def seen_templates(self, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which templates some of these examples have."""
        seen = np.zeros(len(self.template_texts) + 1, np.bool_)
        seen[self.templates[np.asarray(rows, np.int64)]] = True
        return seen[:-1]  # the last place is that of programs that cannot be read

    def entries(self, rows: Sequence[int] | NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places in `items` of some examples' items, and which of these examples each belongs to."""
        wanted = np.asarray(rows, np.int64)
        lengths = self.starts[wanted + 1] - self.starts[wanted]
        owner = np.repeat(np.arange(len(wanted)), lengths)
        before = np.cumsum(lengths) - lengths
        return np.arange(int(lengths.sum())) - np.repeat(before, lengths) + self.starts[wanted][owner], owner


def level_features(dataset: Dataset, definition: LevelDefinition) -> LevelFeatures:
    """The schema items and templates of a data set; each distinct program is read once.

    Programs that cannot be read are put aside, with why; that none can be read is an error.
    """
    read = program_reader(dataset, definition)
    known: dict[str, Described | str] = {}
    texts = dataset.texts("target")
    for row, text in enumerate(texts):
        if text not in known:
            try:
                known[text] = read(text)
            except RecombineError as error:
                known[text] = error.problem
                if all(isinstance(each, str) for each in known.values()) and row == len(texts) - 1:
                    key = dataset.ids[row]
                    raise OptionError(
                        f"{dataset.name}: no program can be read; {key}: {error.problem}", error.remedy
                    ) from error
    return _numbered([known[text] for text in texts], definition)


def _numbered(described: Sequence[Described | str], definition: LevelDefinition) -> LevelFeatures:
    readable = {id(each): each for each in described if not isinstance(each, str)}
    sets = {items for items, _ in readable.values()}
    functions = frozenset[str]().union(*(items.functions for items in sets))
    names = tuple(sorted(frozenset[str]().union(*(items.all for items in sets))))
    texts = tuple(sorted({template for _, template in readable.values()}))
    place, of_text = ({name: at for at, name in enumerate(every)} for every in (names, texts))
    numbers = {items: np.array(sorted(place[name] for name in items.all), np.int32) for items in sets}
    empty = np.zeros(0, np.int32)
    rows = [empty if isinstance(each, str) else numbers[each[0]] for each in described]
    return LevelFeatures(
        names,
        tuple("" if name in functions else definition.domain_of(name) for name in names),
        np.concatenate(([0], np.cumsum([len(each) for each in rows], dtype=np.int64))),
        np.concatenate([empty, *rows]),
        np.array([UNREADABLE if isinstance(each, str) else of_text[each[1]] for each in described], np.int64),
        texts,
        {row: each for row, each in enumerate(described) if isinstance(each, str)},
    )
