"""What each `[[split]]` of a study stands for: one recipe for each split to make."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recombine.studies.tuning.held_back import HELD_BACK, HeldBack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.studies.file.study_file import SplitTable


RANDOM = "random"
"""How examples of train are chosen where nothing is said."""


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
    train_by: str | None = None
    """How so many are chosen of the train part; none is at random."""
    train_seed: int | None = None
    """The seed by which they are chosen; none is that of the split."""
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

    def with_all_of_train(self) -> Recipe:
        """The recipe whose train part this one's is chosen of."""
        return replace(self, train_size=None, train_by=None, train_seed=None)

    def content(self) -> dict[str, Any]:
        """What decides on the split but the revision, which keys hold besides: not what it is called, nor for whom."""
        left_out = ["group", "name", "replicate", "revision", "models"]
        left_out += [name for name in ("held_back", "train_by", "train_seed") if getattr(self, name) is None]
        return {key: value for key, value in asdict(self).items() if key not in left_out}


@dataclass(frozen=True)
class _Choice:
    """How the train part is cut down: to how many examples, by which method and by which seed."""

    size: int | None = None
    by: str | None = None
    seed: int | None = None

    def marks(self, table: SplitTable) -> dict[str, str]:
        """What it adds to the name of a split; the size stands last."""
        marks = {"train_by": f",train_by={self.by}"} if table.train_by is not None else {}
        return marks if self.size is None else {**marks, "train_sizes": f",train={self.size}"}


def _choices(table: SplitTable, replicates: Sequence[int]) -> list[_Choice]:
    """The ways to cut the train part down that a table names."""
    if table.train_sizes is None:
        return [_Choice()]
    ways = [table.train_by] if isinstance(table.train_by, str) else table.train_by or [RANDOM]
    seeds: Sequence[int | None] = replicates if isinstance(table.train_seeds, str) else table.train_seeds or [None]
    return [_Choice(*values) for values in itertools.product(table.train_sizes, ways, seeds)]


def iter_recipes(table: SplitTable, replicates: Sequence[int]) -> Iterator[Recipe]:
    """The recipes of a table: one for each published name, value of a list, train size and choice of it, and seed.

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
    seeds = list(replicates) if isinstance(table.seeds, str) else table.seeds
    values_of_lists, choices = itertools.product(*listed.values()), _choices(table, replicates)
    for name, values, choice, seed in itertools.product(published, values_of_lists, choices, seeds):
        chosen = dict(zip(listed, values, strict=True))
        first = table.name or name or table.label
        if name is not None and table.name and isinstance(table.published, list):
            first += f",{name}"
        marks = {key: f",{key}={value}" for key, value in chosen.items()} | choice.marks(table)
        last = f",seed={seed}" if len(seeds) > 1 else ""
        last += f",train_seed={choice.seed}" if choice.seed is not None else ""
        yield Recipe(
            first + "".join(mark for key, mark in marks.items() if key not in table.over),
            first + "".join(marks.values()) + last,
            published=name,
            options={**plain, **chosen},
            seed=seed,
            train_size=choice.size,
            train_by=None if choice.by == RANDOM else choice.by,
            train_seed=choice.seed,
            replicate=_replicate(table, seed, choice),
            **fixed,
        )


def _replicate(table: SplitTable, seed: int, choice: _Choice) -> int | None:
    """The one seed of models that a split is for; none where it is for all."""
    if table.seeds == "replicate":
        return seed
    return choice.seed if table.train_seeds == "replicate" else None
