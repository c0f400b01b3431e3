"""A part of a large pool with as many combinations of rules as possible, even over levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import working
from recombine.workbench.given.data_and_split import loading
from recombine.workbench.load import load
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.selection.subsample import Subsample
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class SampleResult(Result):
    """Examples of a pool, in the order of the pool."""

    pool: Dataset
    subsample: Subsample
    dataset: Dataset

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        taken = self.subsample.taken
        levels = {str(level): {"pool": supply, "taken": taken.sizes[level]} for level, supply in taken.supply.items()}
        return {
            "examples": len(self.dataset),
            "pool": len(self.pool),
            "levels": levels,
            "entropy": self.subsample.entropy,
            "pool_entropy": self.subsample.pool_entropy,
            "structures": str(self.subsample.features.structures),
            "hash": self.dataset.hash,
            "file": None,
            "signature": str(self.subsample.signature),
        }

    def __str__(self) -> str:
        from recombine.pages.drawing.number_texts import plural

        return f"{plural(len(self.dataset), 'example')} of {len(self.pool):,} of {self.pool.name}"

    def write(self, path: str | Path) -> None:
        """Write the examples, whole or not at all, as JSON lines, TSV or Parquet, as the name ends."""
        from recombine.datasets.files.tables import write_table

        write_table(self.dataset, path)


@verb
def sample(
    data: Data,
    *,
    n: int,
    structures: str | None = None,
    level: str | None = None,
    max_level: int | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> SampleResult:
    """`n` examples of data, taken greedily so that the entropy of their compounds is high and levels are even.

    The level of an example is the number of grammar rules that made it, or what the tag `level` says; none is above
    `max_level`.

    >>> sample("scan", n=100, structures="dag:2-3,presence")
    <SampleResult: 100 examples of 20,910 of scan>
    """
    from recombine.selection.subsample import subsample

    with working(loading(data)):
        pool = load(data, source=source, target=target, language=language, world=world)
    with working("taking examples"):
        made = subsample(pool, n, structures=structures, level=level, max_level=max_level, seed=seed)
    ids = pool.ids
    return SampleResult(pool, made, pool.restricted(ids[row] for row in made.in_order))
