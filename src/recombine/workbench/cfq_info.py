"""What a data set like CFQ is like: the numbers of the paper's tables, counted in any data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import working
from recombine.workbench.given.data_and_split import find_split, loading
from recombine.workbench.load import load, load_for
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.pages.cfq.data_tables import DataTables
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class CfqInfo(Result):
    """The tables of a data set."""

    tables: DataTables

    def to_dict(self) -> dict[str, Any]:
        """What `recombine cfq info --json` prints."""
        return self.tables.to_record()

    def __str__(self) -> str:
        levels = self.tables.to_record()["levels"]
        which = "" if levels is None else f", levels {min(map(int, levels))} to {max(map(int, levels))}"
        return f"{self.tables.name}: {self.tables.size:,} examples{which}"


@verb
def cfq_info(
    data: Data,
    *,
    split: SplitLike | None = None,
    subqueries: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> CfqInfo:
    """The numbers of the CFQ paper's Tables 1, 2, 5, 8 and 9 for data; subqueries are counted in the train part.

    `subqueries` is a file of subqueries or `cfq`, those of Tables 8 and 9; where none is named, these are counted in
    data that has rules of theirs.
    """
    from recombine.pages.cfq.data_tables import build_tables
    from recombine.seeds import check_seed

    check_seed(seed)
    given = [] if split is None else [split]
    with working(loading(data)):
        dataset = load_for(data, given, source=source, target=target, language=language, world=world)
        train = None if split is None else find_split(dataset, split).positions(dataset, "train")
    with working("counting"):
        return CfqInfo(build_tables(dataset, train=train, subqueries=subqueries, load=load, seed=seed))
