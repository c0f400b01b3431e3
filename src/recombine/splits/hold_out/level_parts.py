"""The parts of a split by levels, once domains are chosen: templates are held out, and i.i.d. examples drawn.

Train must keep every schema item of the compositional and i.i.d. examples, and every template of the i.i.d. ones. So
what is taken from train is counted: a template is taken where every item of it stays in train without it, an example
where its template and items do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.measures.levels.level_features import UNREADABLE
from recombine.splits.hold_out.held_out_domains import DEV, FREE, TEST, DomainSets
from recombine.splits.simple.clusters import cluster_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from recombine.measures.levels.level_features import LevelFeatures
    from recombine.measures.levels.wanted_levels import WantedLevels

OWNERS = {"dev": DEV, "test": TEST}


@dataclass(frozen=True)
class LevelParts:
    """Rows by part, which of them are of which level, and what is missing."""

    train: list[int]
    zero_shot: dict[str, list[int]]
    compositional: dict[str, list[int]]
    iid: dict[str, list[int]]
    templates: dict[str, int]
    """How many templates are held out for each part."""
    missing: dict[tuple[str, str], int]
    """Examples that a part has too few of, by part and level; `train` and `examples` for train."""

    @property
    def rows(self) -> dict[str, list[int]]:
        """The rows of all parts, in the order of the data."""
        levels = (self.zero_shot, self.compositional, self.iid)
        held = {name: sorted(row for level in levels for row in level[name]) for name in self.iid}
        return {"train": self.train, **held}


@dataclass(frozen=True)
class LevelPool:
    """The examples of a data set and what is wanted of them."""

    features: LevelFeatures
    wanted: Mapping[str, WantedLevels]
    """What dev, where there is one, and test are to have."""
    train: int | None
    """The size of train; none: what is left."""

    @cached_property
    def readable(self) -> NDArray[np.bool_]:
        """Which programs can be read."""
        readable: NDArray[np.bool_] = self.features.templates != UNREADABLE
        return readable

    @cached_property
    def domains(self) -> list[str]:
        """The domains of all schema items, sorted."""
        return sorted({name for name in self.features.domains if name})

    @cached_property
    def sets(self) -> DomainSets:
        """The domains of the examples."""
        place = {name: number for number, name in enumerate(self.domains)}
        of_item = [place.get(name, -1) for name in self.features.domains]
        rows = [
            frozenset(of_item[item] for item in self.features.items_of(row)) - {-1} for row in range(len(self.readable))
        ]
        return DomainSets.of(rows, len(self.domains), self.readable)

    @property
    def pools(self) -> tuple[int, int, int]:
        """How many examples of no held-out domain, of those held out for dev, and for test are needed at least."""
        kept = sum(each.iid + each.compositional for each in self.wanted.values())
        dev, test = (self.wanted[name].zero_shot if name in self.wanted else 0 for name in OWNERS)
        return kept + (self.train or 1), dev, test

    def unused(self, parts: LevelParts) -> int:
        """How many examples whose programs can be read are in no part."""
        return int(np.count_nonzero(self.readable)) - sum(map(len, parts.rows.values()))

    def parts(self, owners: NDArray[np.int8], generator: np.random.Generator) -> LevelParts:
        """The parts, with these domains held out."""
        sides = self.sets.sides(owners)[self.sets.of_row]
        zero_shot = {
            name: _drawn(np.flatnonzero(self.readable & (sides == OWNERS[name])), each.zero_shot, generator)
            for name, each in self.wanted.items()
        }
        draw = _Draw(self.features, np.flatnonzero(self.readable & (sides == FREE)), generator)
        order = sorted(self.wanted, key=lambda name: -self.wanted[name].compositional)
        held = {name: draw.templates(self.wanted[name].compositional) for name in order}
        alike = {name: draw.alike(self.wanted[name].iid) for name in order}
        chosen = [row for rows, _ in held.values() for row in rows] + [row for rows in alike.values() for row in rows]
        train = draw.train(self.train, chosen, [row for rows in alike.values() for row in rows])
        missing = {("train", "examples"): max(0, (self.train or 1) - len(train))}
        for name, each in self.wanted.items():
            missing[name, "zero-shot"] = each.zero_shot - len(zero_shot[name])
            missing[name, "compositional"] = each.compositional - len(held[name][0])
            missing[name, "i.i.d."] = each.iid - len(alike[name])
        return LevelParts(
            train,
            zero_shot,
            {name: held[name][0] for name in self.wanted},
            {name: alike[name] for name in self.wanted},
            {name: held[name][1] for name in self.wanted},
            {key: count for key, count in missing.items() if count > 0},
        )


class _Draw:
    """What is taken from train's pool, one thing after another."""

    def __init__(self, features: LevelFeatures, pool: NDArray[np.int64], generator: np.random.Generator) -> None:
        self._features, self._generator = features, generator
        self._left = set(pool.tolist())
        self._pool = pool
        at, _ = features.entries(pool)
        self._items = np.bincount(features.items[at], minlength=len(features.names)).tolist()
        self._templates = np.bincount(features.templates[pool], minlength=len(features.template_texts)).tolist()

    def templates(self, wanted: int) -> tuple[list[int], int]:
        """So many examples of templates that leave train whole, and how many templates: each that still fits, then,
        where that is too few, one of which some examples stay unused."""
        taken: list[int] = []
        number = 0
        clusters = self._clusters()
        order = self._generator.permutation(len(clusters)).tolist()
        for fits in (True, False):
            for place in order:
                room = wanted - len(taken)
                rows = [row for row in clusters[place] if row in self._left] if room else []
                if not rows or (len(rows) > room) == fits or not self._spares(rows):
                    continue
                self._take(rows)
                number += 1
                taken += rows if fits else _drawn(np.array(rows), room, self._generator)
        return sorted(taken), number

    def alike(self, wanted: int) -> list[int]:
        """So many examples whose templates and items stay in train."""
        taken: list[int] = []
        for row in self._generator.permutation(self._pool).tolist() if wanted else ():
            if len(taken) == wanted:
                break
            if row in self._left and self._templates[self._features.templates[row]] > 1 and self._spares([row]):
                self._take([row])
                taken.append(row)
        return sorted(taken)

    def train(self, size: int | None, held: list[int], alike: list[int]) -> list[int]:
        """What is left, or so many of it that have all items and templates that are needed."""
        left = sorted(self._left)
        if size is None or size >= len(left):
            return left
        needed = {("item", int(item)) for row in held for item in self._features.items_of(row)}
        needed |= {("template", int(self._features.templates[row])) for row in alike}
        order = self._generator.permutation(left).tolist()
        kept: list[int] = []
        for row in order:
            gives = {("item", int(item)) for item in self._features.items_of(row)}
            gives.add(("template", int(self._features.templates[row])))
            if needed & gives:
                kept.append(row)
                needed -= gives
        first = set(kept)
        return sorted((kept + [row for row in order if row not in first])[: max(size, len(kept))])

    def _clusters(self) -> list[list[int]]:
        numbers = self._features.templates[self._pool]
        _, inverse = np.unique(numbers, return_inverse=True)
        return [self._pool[rows].tolist() for rows in cluster_rows(inverse)]

    def _spares(self, rows: list[int]) -> bool:
        """Whether train keeps every item of these examples without them."""
        at, _ = self._features.entries(rows)
        items, counts = np.unique(self._features.items[at], return_counts=True)
        return all(self._items[item] > count for item, count in zip(items.tolist(), counts.tolist(), strict=True))

    def _take(self, rows: list[int]) -> None:
        self._left.difference_update(rows)
        for row in rows:
            self._templates[self._features.templates[row]] -= 1
            for item in self._features.items_of(row).tolist():
                self._items[item] -= 1


def _drawn(rows: NDArray[np.int64], wanted: int, generator: np.random.Generator) -> list[int]:
    """So many of some rows at random, in order."""
    return sorted(generator.permutation(rows)[:wanted].tolist())
