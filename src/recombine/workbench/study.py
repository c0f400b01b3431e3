"""A study: a matrix of data, splits, models and seeds, as its file says, and what can be done with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.progress import note, stage, working
from recombine.workbench.results.study_results import (
    StudyCollected,
    StudyExported,
    StudyMigrated,
    StudyReport,
    StudyRun,
    StudyStatus,
)
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.summary import CellResult

FolderPath = str | Path


def study(file: FolderPath, *, results: FolderPath | None = None) -> Study:
    """The study of a file; results are in `results`, or in `results/NAME` beside the file.

    >>> study("studies/smoke.toml")
    <Study: studies/smoke.toml>
    """
    return Study(Path(file), None if results is None else Path(results))


@dataclass(frozen=True, repr=False)
class Study:
    """A study file; each method takes the options of its command, and `results` for another folder of results."""

    file: Path
    results: Path | None = None

    def __str__(self) -> str:
        return str(self.file)

    def __repr__(self) -> str:
        return f"<Study: {self}>"

    @verb
    def run(
        self,
        *,
        results: FolderPath | None = None,
        cells: str | Iterable[str] = (),
        processes: int = 1,
        cluster: str | None = None,
        device: str = "",
        threads: int = 1,
        retry: bool = False,
    ) -> StudyRun:
        """Run what is not done, tuning runs first; a run that was killed goes on where it was."""
        from recombine.studies.running.run_study import Options, run_study

        plan = self._plan(results)
        options = Options(
            _texts(cells), processes=processes, cluster=cluster, device=device, threads=threads, retry=retry
        )
        ran = run_study(plan, options)
        plan = plan.with_choices()
        return StudyRun(plan, _cells(plan), ran)

    @verb
    def status(self, *, results: FolderPath | None = None) -> StudyStatus:
        """How far the study is, and its means so far; nothing is computed."""
        plan = self._plan(results, make=False, by_facts=True)
        return StudyStatus(plan, _cells(plan))

    @verb
    def migrate(self, *, results: FolderPath | None = None) -> StudyMigrated:
        """Bring results of an older form over to their new keys, as a run does too."""
        plan = self._plan(results, tell=False)
        return StudyMigrated(plan, _cells(plan))

    @verb
    def report(self, *, results: FolderPath | None = None, examples: int = 10) -> StudyReport:
        """Show the study as one HTML page; `examples` is the number of predictions kept of each cell."""
        from recombine.pages.study.study_page import render_study

        plan = self._plan(results, make=False)
        with working("writing the report"):
            cells = _cells(plan)
            return StudyReport(plan, cells, render_study(plan, cells, examples=examples))

    @verb
    def export(
        self, folder: FolderPath, *, results: FolderPath | None = None, cells: str | Iterable[str] = ()
    ) -> StudyExported:
        """Pack cells that are not done, into a folder, for a machine that has torch and numpy alone."""
        from recombine.studies.running.export_study import export_study

        plan = self._plan(results)
        with working("writing the folder"):
            return StudyExported(plan, export_study(plan, Path(folder), only=_texts(cells)))

    @verb
    def collect(
        self, folder: FolderPath, *, from_: FolderPath | None = None, results: FolderPath | None = None
    ) -> StudyCollected:
        """Score and store what came back from another machine; `from_` is where it is, by default FOLDER/out."""
        from recombine.studies.running.export_study import collect_study

        folder = Path(folder)
        plan = self._plan(results)
        with working("scoring"):
            collected = collect_study(plan, folder, folder / "out" if from_ is None else Path(from_))
        plan = plan.with_choices()
        return StudyCollected(plan, _cells(plan), collected)

    def _plan(
        self, results: FolderPath | None, *, make: bool = True, by_facts: bool = False, tell: bool = True
    ) -> Plan:
        """The plan; with `tell`, it says what became of records of an older form."""
        from recombine.studies.cells.plan import make_plan

        folder = self.results if results is None else Path(results)
        with working("reading the study, its data and splits"):
            plan = make_plan(self.file, folder, make=make, by_facts=by_facts, say=stage if make else lambda _: None)
        for message in plan.migrated.messages() if make and tell else ():
            note(message)
        return plan


def _texts(cells: str | Iterable[str]) -> tuple[str, ...]:
    return (cells,) if isinstance(cells, str) else tuple(cells)


def _cells(plan: Plan) -> list[CellResult]:
    from recombine.studies.tables.summary import read_results

    return read_results(plan)
