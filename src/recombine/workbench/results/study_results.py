"""What the verbs of a study give."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recombine.files import write_whole
from recombine.workbench.results.result import Result, result_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.studies.cells.plan import Plan
    from recombine.studies.running.export_study import Collected, Exported
    from recombine.studies.running.run_study import Ran
    from recombine.studies.tables.abstentions import Abstention
    from recombine.studies.tables.correlation import Correlation
    from recombine.studies.tables.hybrids import HybridRow
    from recombine.studies.tables.stuck_runs import StuckRuns
    from recombine.studies.tables.summary import CellResult, SummaryRow
    from recombine.studies.tables.tuning_table import TuningTable


@dataclass(frozen=True, repr=False, eq=False)
class StudyStatus(Result):
    """How far a study is, and its means so far."""

    plan: Plan
    cells: Sequence[CellResult]
    """Every cell with its record, where it has one."""

    @cached_property
    def rows(self) -> list[SummaryRow]:
        """The table of means."""
        from recombine.studies.tables.summary import summarise

        return summarise(self.plan, self.cells)

    @cached_property
    def tuning(self) -> list[TuningTable]:
        """What tuned models were chosen by, for each of their splits."""
        from recombine.studies.tables.tuning_table import tuning_tables

        return tuning_tables(self.plan)

    @cached_property
    def stuck(self) -> list[StuckRuns]:
        """Runs whose training loss stayed where it began."""
        from recombine.studies.tables.stuck_runs import stuck_runs

        return stuck_runs(self.plan, self.cells)

    @cached_property
    def abstentions(self) -> list[Abstention]:
        """Coverage and precision of models that abstain."""
        from recombine.studies.tables.abstentions import abstentions

        return abstentions(self.plan, self.cells)

    @cached_property
    def hybrids(self) -> list[HybridRow]:
        """Hybrids of two models, from their predictions."""
        from recombine.studies.tables.hybrids import hybrid_rows

        return hybrid_rows(self.plan, self.cells)

    @property
    def states(self) -> Counter[str]:
        """How many cells are done, failed and to do."""
        return Counter(result.state for result in self.cells)

    @property
    def paper_sources(self) -> list[str]:
        """Where the paper's numbers are from."""
        return list(dict.fromkeys(paper.source for paper in self.plan.study.paper if paper.source))

    @cached_property
    def correlations(self) -> dict[str, Correlation]:
        """How divergence explains the accuracy of each model over splits, with intervals over splits."""
        from recombine.studies.tables.correlation import correlations

        return correlations(self.cells)

    def to_dict(self) -> dict[str, Any]:
        """Counts of cells, means with their intervals beside the paper's, ranks, correlations and tuned values."""
        from recombine.studies.tables.rank_table import rank_table

        ranks, states = rank_table(self.rows), self.states
        return {
            "study": self.plan.study.name,
            "results": str(self.plan.results),
            "cells": len(self.cells),
            "done": states["done"],
            "failed": states["failed"],
            "to_do": states["to do"],
            "table": [_row_value(row) for row in self.rows],
            "average_ranks": None if ranks is None else ranks.to_record(),
            "paper_sources": self.paper_sources,
            "correlation": {model: one.to_record() for model, one in self.correlations.items()},
            "stuck_runs": [row.to_record() for row in self.stuck],
            "abstentions": [row.to_record() for row in self.abstentions],
            "hybrids": [row.to_record() for row in self.hybrids],
            "models_left_out": dict(self.plan.left_out),
            "tuning": [table.to_record() for table in self.tuning],
            "splits_not_made": self.plan.unmade(),
            "older_records": list(self.plan.migrated.left),
        }

    def __str__(self) -> str:
        states = self.states
        failed = f", {states['failed']} failed" if states["failed"] else ""
        return f"{self.plan.study.name}: {states['done']} of {len(self.cells)} cells are done{failed}"

    def _repr_html_(self) -> str:
        """The means by splits and models."""
        from recombine.studies.tables.summary import mean_text, metric_title

        means = {
            row.label: {model: mean_text(mean.mean, mean.interval) for model, mean in row.means.items()}
            for row in self.rows
        }
        return result_table(f"{self}; {metric_title(self.plan.study)}", means)


def _row_value(row: SummaryRow) -> dict[str, Any]:
    means = {
        model: {
            "n": mean.n,
            "mean": mean.mean,
            "interval": mean.interval,
            "interval_kind": mean.interval_kind,
            "paper": None if mean.paper is None else [mean.paper.mean, mean.paper.interval],
            "paper_interval_kind": None if mean.paper is None else mean.paper.interval_kind,
        }
        for model, mean in row.means.items()
    }
    return {"splits": row.label, "compound_divergence": row.divergence, "models": means}


@dataclass(frozen=True, repr=False, eq=False)
class StudyRun(StudyStatus):
    """What a run did, and how far the study is."""

    ran: Ran

    @property
    def errors(self) -> dict[str, str]:
        """Why cells failed, by their names."""
        return {record["name"]: record["error"] for record in self.ran.failed}

    def to_dict(self) -> dict[str, Any]:
        """As a status, and what was run, skipped and removed."""
        tuning = self.ran.tuning
        return {
            **super().to_dict(),
            "ran": len(self.ran.records),
            "skipped": self.ran.skipped,
            "tuning_ran": 0 if tuning is None else len(tuning.records),
            "tuning_skipped": 0 if tuning is None else tuning.skipped,
            "removed": list(self.ran.removed),
            "errors": self.errors,
        }


@dataclass(frozen=True, repr=False, eq=False)
class StudyReport(StudyStatus):
    """A study as one HTML page."""

    page: bytes = field(hash=False)

    def write(self, path: Path | str) -> None:
        """Write the page."""
        write_whole(path, self.page)

    def to_dict(self) -> dict[str, Any]:
        """As a status, and the size of the page."""
        return {**super().to_dict(), "file": None, "bytes": len(self.page)}


@dataclass(frozen=True, repr=False, eq=False)
class StudyCollected(StudyStatus):
    """What came back from another machine, and how far the study is."""

    collected: Collected

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The records that came back of cells that failed."""
        from recombine.studies.cells.read_record import FAILED

        return [record for record in self.collected.records if record["state"] == FAILED]

    def to_dict(self) -> dict[str, Any]:
        """As a status, and what was stored, was there, or is of no cell."""
        return {
            **super().to_dict(),
            "stored": len(self.collected.records),
            "there": self.collected.done_before,
            "unknown": list(self.collected.unknown),
        }


@dataclass(frozen=True, repr=False, eq=False)
class StudyExported(Result):
    """The folders that were packed for another machine."""

    plan: Plan
    exported: Exported

    @property
    def folders(self) -> Mapping[str, int]:
        """Folders with their numbers of cells."""
        return self.exported.folders

    def to_dict(self) -> dict[str, Any]:
        """Folders with their numbers of cells, and how many cells were left out for which reason."""
        return {"folders": dict(self.folders), "left_out": dict(self.exported.left_out)}

    def __str__(self) -> str:
        return ", ".join(f"{number} cells in {folder}" for folder, number in self.folders.items())


@dataclass(frozen=True, repr=False, eq=False)
class StudyMigrated(Result):
    """What became of results of an older form."""

    plan: Plan
    cells: Sequence[CellResult]

    def to_dict(self) -> dict[str, Any]:
        """The keys that were brought over, those that could not be with the reason, and how many cells are done."""
        migrated = self.plan.migrated
        done = [result.state for result in self.cells].count("done")
        return {
            "migrated": list(migrated.moved),
            "left": dict(migrated.left),
            "cells": len(self.cells),
            "done": done,
        }

    def __str__(self) -> str:
        migrated = self.plan.migrated
        return f"{len(migrated.moved)} records brought over, {len(migrated.left)} left"
