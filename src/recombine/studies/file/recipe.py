"""What each `[[split]]` of a study stands for: one recipe for each split to make."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recombine.studies.tuning.held_back import HELD_BACK, HeldBack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.studies.file.study_file import SplitTable


@dataclass(frozen=True)
class Recipe:
    """How to make one split of one data set."""

    group: str
    """What tables and papers call it, with others of its kind."""
    name: str
    published: str | None = None
    file: str | None = None
    by: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    part: str = "test"
    train_size: int | None = None
    best_effort: bool = False
    replicate: int | None = None
    """The one seed of models that it is for; none where it is for all."""
    revision: int | None = None
    """The revision of the method whose split is meant; none is today's."""
    models: tuple[str, ...] | None = None
    """The models that it is for; none where it is for all."""
    held_back: HeldBack | None = None
    """Which part of train is held back for tuning; then no other part is left to look at."""

    def for_tuning(self, share: float, seed: int) -> Recipe:
        """The recipe whose train is a part of this one's and whose only other part is the rest of it."""
        drawn = HeldBack(share, seed, self.part)
        return replace(self, name=f"{self.name},held_back={share}", part=HELD_BACK, held_back=drawn)

    def whole(self) -> Recipe:
        """The recipe that a part of train is held back of."""
        return self if self.held_back is None else replace(self, part=self.held_back.part, held_back=None)

    def content(self) -> dict[str, Any]:
        """What decides on the split but the revision, which keys hold besides: not what it is called, nor for whom."""
        left_out = ["group", "name", "replicate", "revision", "models"]
        left_out += ["held_back"] if self.held_back is None else []
        return {key: value for key, value in asdict(self).items() if key not in left_out}


def iter_recipes(table: SplitTable, replicates: Sequence[int]) -> Iterator[Recipe]:
    """The recipes of a table: one for each published name, value of a list, seed and train size.

    >>> from recombine.studies.file.study_file import SplitTable
    >>> table = SplitTable(name="low", by="mcd", divergence=[0.0, 0.1], seeds=[1, 2], test=100)
    >>> [recipe.name for recipe in iter_recipes(table, [0])][:3]
    ['low,divergence=0.0,seed=1', 'low,divergence=0.0,seed=2', 'low,divergence=0.1,seed=1']
    """
    fixed: dict[str, Any] = {"part": table.part, "best_effort": table.best_effort, "file": table.file, "by": table.by}
    fixed |= {"revision": table.revision, "models": None if table.models is None else tuple(table.models)}
    listed = {key: value for key, value in table.options.items() if isinstance(value, list)}
    plain = {key: value for key, value in table.options.items() if key not in listed}
    published: Sequence[str | None] = (
        [table.published] if isinstance(table.published, str) else table.published or [None]
    )
    paired = table.seeds == "replicate"
    seeds = list(replicates) if isinstance(table.seeds, str) else table.seeds
    sizes: Sequence[int | None] = table.train_sizes or [None]
    for name, values, size, seed in itertools.product(published, itertools.product(*listed.values()), sizes, seeds):
        chosen = dict(zip(listed, values, strict=True))
        first = table.name or name or table.label
        if name is not None and table.name and isinstance(table.published, list):
            first += f",{name}"
        marks = {key: f",{key}={value}" for key, value in chosen.items()}
        marks |= {"train_sizes": f",train={size}"} if size is not None else {}
        last = f",seed={seed}" if len(seeds) > 1 else ""
        yield Recipe(
            first + "".join(mark for key, mark in marks.items() if key not in table.over),
            first + "".join(marks.values()) + last,
            published=name,
            options={**plain, **chosen},
            seed=seed,
            train_size=size,
            replicate=seed if paired else None,
            **fixed,
        )
