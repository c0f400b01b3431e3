"""One page on a set of questions over a knowledge base: shares beside GrailQA's, levels, and templates as graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.files import write_whole
from recombine.progress import working
from recombine.workbench.given.kbqa_set import kbqa_set
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.pages.kbqa.kbqa_data import KbqaData
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class KbqaPage(Result):
    """The page, and the numbers on it."""

    page: bytes
    built: KbqaData

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kbqa page --json` prints."""
        return {
            **self.built.tables.to_record(),
            "templates": self.built.templates,
            "shown": len(self.built.shown),
            "not_drawn": sum(bool(each.not_drawn) for each in self.built.shown),
            "file": None,
        }

    def __str__(self) -> str:
        built = self.built
        return (
            f"{built.tables.name}: {len(built.shown):,} of {built.templates:,} templates on a page of "
            f"{len(self.page) / 1e6:.1f} MB"
        )

    def write(self, path: Path | str) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.page)


@verb
def kbqa_page(
    data: Data,
    split: SplitLike | None = None,
    *,
    templates: int = 600,
    canonical: str | None = None,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    seed: int = 0,
) -> KbqaPage:
    """A page on questions with S-expressions or SPARQL: shares, levels, wordings, and each template's graph.

    Of more than `templates` templates so many are shown, of all kinds in turn; all are counted. `split`, `canonical`
    and `seed` are those of `kbqa_info`.
    """
    from recombine.pages.kbqa.kbqa_data import build_kbqa_data
    from recombine.pages.kbqa.kbqa_page import render_kbqa
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
        tables = build_kbqa_tables(table, split=found, split_name=name, seed=seed)
    with working("drawing the page"):
        built = build_kbqa_data(tables, most=templates)
        return KbqaPage(render_kbqa(built), built)
