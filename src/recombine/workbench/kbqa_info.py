"""What a set of questions over a knowledge base is like: the numbers that the GrailQA paper has of GrailQA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import working
from recombine.workbench.given.kbqa_set import kbqa_set
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.pages.kbqa.kbqa_tables import KbqaTables
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class KbqaInfo(Result):
    """The numbers of a set."""

    tables: KbqaTables

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kbqa info --json` prints."""
        return self.tables.to_record()

    def __str__(self) -> str:
        row = self.tables.row
        return f"{self.tables.name}: {row['questions']:,} questions of {row['canonical_forms']:,} canonical forms"


@verb
def kbqa_info(
    data: Data,
    split: SplitLike | None = None,
    *,
    canonical: str | None = None,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    seed: int = 0,
) -> KbqaInfo:
    """The numbers of GrailQA's Table 1, section 3.2 and section 5.1 for questions with S-expressions or SPARQL.

    `split` gives the levels, else a split that lies beside the file does, else the tag `level`. `canonical` is the
    field of the canonical question, without it one that is known. Where there are millions of pairs of wordings, those
    that are compared are drawn by `seed`, and how many is said.
    """
    from recombine.pages.kbqa.kbqa_tables import build_kbqa_tables
    from recombine.seeds import check_seed

    check_seed(seed)
    table, found, name = kbqa_set(
        data,
        split,
        profile=profile,
        ontology=ontology,
        canonical=canonical,
        source=source,
        target=target,
        language=language,
    )
    with working("counting"):
        return KbqaInfo(build_kbqa_tables(table, split=found, split_name=name, seed=seed))
