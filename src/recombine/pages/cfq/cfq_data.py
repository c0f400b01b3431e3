"""What the page of a data set like CFQ shows: tables, levels, and frequencies of rules and their combinations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.pages.cfq.data_tables import build_tables
from recombine.pages.cfq.item_texts import item_texts, shown_answers
from recombine.pages.cfq.pool_frequencies import pool_frequencies
from recombine.pages.splits.frequencies import frequencies
from recombine.selection.subsample import SAMPLE_STRUCTURES, grammar_levels
from recombine.structures.cached_features import cached_features
from recombine.structures.definition import Structures
from recombine.structures.joined_definition import check_one_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.pages.cfq.data_tables import DataTables
    from recombine.pages.splits.frequencies import Frequencies
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

BROWSED = 5
"""The questions of each level that can be looked at."""


@dataclass(frozen=True)
class CfqData:
    """What the page is made of."""

    tables: DataTables
    pool: str
    """The name of the pool; empty where none was given."""
    pool_size: int
    pool_levels: Mapping[int, int] | None
    rules: Frequencies | None
    """Rules in the pool and in the data."""
    combinations: Frequencies | None
    sampled: str
    """The definition of the combinations."""
    split: str
    """The name of the split; empty where none was given."""
    against: str
    atoms: Frequencies | None
    compounds: Frequencies | None
    structures: str
    """The definition of the split's atoms and compounds."""
    browsed: Mapping[int, list[tuple[str, str]]]
    """Some questions of each level with their answers."""

    @property
    def levels(self) -> dict[int, int]:
        """How many examples there are of each level."""
        listed = [] if self.tables.levels is None else self.tables.levels.tolist()
        return dict(sorted(Counter(listed).items()))


def build_cfq_data(
    dataset: Dataset,
    *,
    pool: Dataset | None = None,
    split: Split | None = None,
    against: str = "test",
    structures: str | None = None,
    subqueries: Path | str | None = None,
    load: Callable[[str], Dataset] | None = None,
    seed: int = 0,
) -> CfqData:
    """Count everything; Figures 3 to 5 need derivations, the last two the pool, and Figure 6 needs a split."""
    train = None if split is None else split.positions(dataset, "train")
    tables = build_tables(dataset, train=train, subqueries=subqueries, load=load, seed=seed)
    if pool is not None and tables.levels is None:
        raise OptionError(f"{dataset.name} has no derivations to compare with those of the pool", "leave out --pool")
    sampled = Structures.parse(structures or SAMPLE_STRUCTURES)
    check_one_kind(sampled.compounds, "this page")
    before = after = None
    if pool is not None:
        before, after = cached_features(pool, sampled), cached_features(dataset, sampled)
    atoms = compounds = None
    of_split = structures or dataset.structures
    if split is not None and train is not None and of_split:
        features = cached_features(dataset, Structures.parse(of_split))
        test = split.positions(dataset, against)
        atoms = frequencies(features.atoms, train, test, alpha=features.structures.atoms.alpha)
        compounds = frequencies(features.compounds, train, test, alpha=features.structures.compounds.alpha)
        of_split = str(features.structures)
    return CfqData(
        tables,
        "" if pool is None else pool.name,
        0 if pool is None else len(pool),
        None if pool is None else dict(sorted(Counter(grammar_levels(pool).tolist()).items())),
        None if before is None or after is None else pool_frequencies(before.atoms, after.atoms),
        None if before is None or after is None else pool_frequencies(before.compounds, after.compounds),
        str(sampled.compounds),
        "" if split is None else str(split.signature.get("split") or split.signature.get("by") or "split"),
        against,
        atoms,
        compounds,
        of_split,
        {} if tables.levels is None else _browsed(dataset, tables.levels, seed),
    )


def _browsed(dataset: Dataset, levels: NDArray[np.int64], seed: int) -> dict[int, list[tuple[str, str]]]:
    """Some questions of each level, drawn."""
    generator = np.random.default_rng(seed)
    values = item_texts(dataset).values
    questions, answers = values.get("questions", values["question_patterns"]), values.get("answers")
    browsed: dict[int, list[tuple[str, str]]] = {}
    for row in generator.permutation(len(dataset)).tolist():
        listed = browsed.setdefault(int(levels[row]), [])
        if len(listed) < BROWSED:
            answer = "" if answers is None else shown_answers(answers[row])
            listed.append((str(questions[row]), answer))
    return dict(sorted(browsed.items()))
