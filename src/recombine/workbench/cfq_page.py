"""One page on a data set like CFQ: the figures and tables that the paper has of CFQ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.files import write_whole
from recombine.progress import working
from recombine.workbench.given.data_and_split import find_split, loading
from recombine.workbench.load import load, load_for
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.pages.cfq.cfq_data import CfqData
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class CfqPage(Result):
    """The page, and the numbers on it."""

    page: bytes
    built: CfqData

    def to_dict(self) -> dict[str, Any]:
        """What `recombine cfq page --json` prints."""
        return {"data": self.built.tables.name, "file": None, "pool": self.built.pool or None} | {
            key: value for key, value in self.built.tables.to_record().items() if key not in ("data", "samples")
        }

    def __str__(self) -> str:
        tables = self.built.tables
        return f"{tables.name}: {tables.size:,} examples on a page of {len(self.page) / 1e6:.1f} MB"

    def write(self, path: Path | str) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.page)


@verb
def cfq_page(
    data: Data,
    *,
    pool: Data | None = None,
    split: SplitLike | None = None,
    against: str = "test",
    structures: str | None = None,
    subqueries: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> CfqPage:
    """A page on data, with Figures 3 to 6 and Tables 1, 2, 5, 8 and 9 of the CFQ paper.

    `pool` is what the data was taken of, for Figures 3 to 5; `split` with the part `against` is for Figure 6.
    `subqueries` is a file of subqueries or `cfq`; where none is named, the paper's are counted in data that has rules
    of theirs. What the data does not give is said on the page.
    """
    from recombine.pages.cfq.cfq_data import build_cfq_data
    from recombine.pages.cfq.cfq_page import render_cfq
    from recombine.seeds import check_seed
    from recombine.structures.definition import Structures

    check_seed(seed)
    if structures is not None:
        Structures.parse(structures)
    given = [] if split is None else [split]
    with working(loading(data)):
        dataset = load_for(data, given, source=source, target=target, language=language, world=world)
        found = None if split is None else find_split(dataset, split)
        before = None if pool is None else load(pool, source=source, target=target, language=language, world=world)
    with working("counting (the first run compiles)"):
        built = build_cfq_data(
            dataset,
            pool=before,
            split=found,
            against=against,
            structures=structures,
            subqueries=subqueries,
            load=load,
            seed=seed,
        )
    return CfqPage(render_cfq(built), built)
