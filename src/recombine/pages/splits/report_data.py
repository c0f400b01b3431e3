"""The numbers of a report, built apart from the pages that show them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError
from recombine.measures.measure_split import measure_split
from recombine.measures.subqueries import count_by_part
from recombine.pages.splits.frequencies import frequencies
from recombine.pages.splits.held_out import HeldOutCompounds, HeldOutFinder
from recombine.seeds import check_seed, make_generator
from recombine.structures.definition import ATOM_ALPHA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.measures.subqueries import SubqueryTable
    from recombine.pages.splits.frequencies import Frequencies
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.structures.dataset_features import DatasetFeatures

HELD_OUT = 8
WITNESSES = 3
EXAMPLES = 200


@dataclass(frozen=True)
class CountedRow:
    """A subquery, what was counted of it, and the counts of train and of the part compared with it."""

    label: str
    count: str
    train: int
    test: int


@dataclass(frozen=True)
class CountedTable:
    """Subqueries under a title."""

    title: str
    rows: tuple[CountedRow, ...]


@dataclass(frozen=True)
class SplitData:
    """What the report says about one split. Without derivations there are no frequencies and nothing held out."""

    name: str
    measured: Mapping[str, Any]
    atoms: Frequencies | None
    compounds: Frequencies | None
    """Of several kinds, those of the kind whose divergence is the smallest."""
    held_out: HeldOutCompounds
    samples: Mapping[str, tuple[int, ...]]
    """Positions in the data of the sampled examples: of train and of the part measured against."""
    subqueries: tuple[CountedTable, ...] = ()
    deciding: str = ""
    """The definition of the kind that the compounds are of, where there are several."""


@dataclass(frozen=True)
class ReportData:
    """What the report says."""

    dataset: Dataset
    against: str
    structures: str
    """The definition of atoms and compounds; empty where there are none."""
    seed: int
    splits: tuple[SplitData, ...]


def check_options(*, against: str, examples: int, seed: int) -> None:
    """Refuse options that cannot be used, before anything is loaded."""
    if against == "train":
        raise OptionError("train cannot be compared with itself", "choose another part")
    if examples < 0:
        raise OptionError(f"the number of examples is {examples}", "give a whole number of 0 or more")
    check_seed(seed)


def build_data(
    dataset: Dataset,
    splits: Mapping[str, Split],
    features: DatasetFeatures | None,
    *,
    against: str = "test",
    examples: int = EXAMPLES,
    subqueries: Sequence[SubqueryTable] = (),
    near: float | None = None,
    seed: int = 0,
) -> ReportData:
    """The numbers of a report on splits of one data set, each under its name."""
    if not splits:
        raise OptionError("there is no split to report on", "name at least one")
    check_options(against=against, examples=examples, seed=seed)
    finders = () if features is None else tuple(HeldOutFinder(dataset, one) for one in features.by_kind())
    return ReportData(
        dataset,
        against,
        "" if features is None else str(features.structures),
        seed,
        tuple(
            replace(
                _split_data(dataset, name, split, features, finders, against, examples, near, seed),
                subqueries=_counted(dataset, split, subqueries, against),
            )
            for name, split in splits.items()
        ),
    )


def _split_data(
    dataset: Dataset,
    name: str,
    split: Split,
    features: DatasetFeatures | None,
    finders: Sequence[HeldOutFinder],
    against: str,
    examples: int,
    near: float | None,
    seed: int,
) -> SplitData:
    measured = measure_split(
        dataset,
        split,
        features=features,
        against=against,
        made_to_be_hard=lambda: _made_to_be_hard(split),
        near=near,
    )
    train, test = split.positions(dataset, "train"), split.positions(dataset, against)
    atoms = compounds = None
    held_out = HeldOutCompounds((), 0.0, True)
    deciding = ""
    if features is not None:
        atoms = frequencies(features.atoms, train, test, alpha=ATOM_ALPHA)
        alpha = features.structures.compounds.alpha
        found = [frequencies(finder.features.compounds, train, test, alpha=alpha) for finder in finders]
        place = min(range(len(found)), key=lambda number: found[number].divergence)
        finder, compounds = finders[place], found[place]
        deciding = str(finder.features.structures.compounds) if len(finders) > 1 else ""
        held_out = finder.find(compounds, train, test, count=HELD_OUT, examples=WITNESSES)
    generator = make_generator(seed)
    samples = {part: _sample(rows, examples, generator) for part, rows in (("train", train), (against, test))}
    return SplitData(name, measured, atoms, compounds, held_out, samples, deciding=deciding)


def _made_to_be_hard(split: Split) -> bool:
    from recombine.splits.made_to_be_hard import made_to_be_hard

    return made_to_be_hard(split.signature)


def _counted(dataset: Dataset, split: Split, tables: Sequence[SubqueryTable], against: str) -> tuple[CountedTable, ...]:
    """The tables of subqueries with their counts."""
    if not tables:
        return ()
    counts = count_by_part(tables, dataset, [split.positions(dataset, part) for part in ("train", against)])
    return tuple(
        CountedTable(
            table.title,
            tuple(
                CountedRow(row.label, row.count, train, test)
                for row, train, test in zip(table.rows, trained, tested, strict=True)
            ),
        )
        for table, trained, tested in zip(tables, *counts, strict=True)
    )


def _sample(rows: Sequence[int], count: int, generator: np.random.Generator) -> tuple[int, ...]:
    """At most `count` distinct rows, in the order of the split."""
    distinct = list(dict.fromkeys(rows))
    if count < len(distinct):
        distinct = [distinct[int(at)] for at in np.sort(generator.permutation(len(distinct))[:count])]
    return tuple(distinct)
