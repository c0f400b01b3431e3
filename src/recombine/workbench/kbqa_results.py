"""One page on the results of a study over a knowledge base: Table 3, Figures 4 and 5, links, errors, wrong answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.files import write_whole
from recombine.progress import working
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from recombine.pages.kbqa_results.results_data import ResultsData


@dataclass(frozen=True, repr=False, eq=False)
class KbqaResults(Result):
    """The page, and the numbers on it."""

    page: bytes
    built: ResultsData

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kbqa results --json` prints."""
        return {**self.built.to_record(), "file": None}

    def __str__(self) -> str:
        parts = self.built.sections
        systems = sum(len(part.section.done) for part in parts)
        missing = f"; {self.built.missing:,} cells have no result yet" if self.built.missing else ""
        on = f"{len(parts)} {'split' if len(parts) == 1 else 'splits'}"
        return f"{systems} systems on {on} of {self.built.study}, a page of {len(self.page) / 1e6:.1f} MB{missing}"

    def write(self, path: Path | str) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.page)


@verb
def kbqa_results(
    study: str | Path, *, results: str | Path | None = None, examples: int = 4, seed: int = 0
) -> KbqaResults:
    """A page of what a study of parsers over a knowledge base has, beside what the GrailQA paper prints.

    The study may be half done: what has no result is listed. `results` is the folder of results, where it is not
    `results/NAME` beside the study file. `examples` is how many wrong answers of each system and class of errors the
    page holds; which, and how bootstraps are drawn, is by `seed`.
    """
    from recombine.pages.kbqa_results.results_data import build_results
    from recombine.pages.kbqa_results.results_page import render_results
    from recombine.pages.kbqa_results.study_systems import study_sections
    from recombine.seeds import check_seed
    from recombine.studies.cells.plan import make_plan
    from recombine.studies.tables.summary import read_results

    check_seed(seed)
    if examples < 0:
        raise OptionError(f"cannot show {examples} wrong answers", "give 0 or more")
    with working("reading the study, its data and splits"):
        plan = make_plan(Path(study), None if results is None else Path(results), make=False)
    sections, lacking = study_sections(plan, read_results(plan))
    with working("drawing the page"):
        built = build_results(plan.study.name, plan.study.description, sections, lacking, seed=seed, each=examples)
        return KbqaResults(render_results(built), built)
