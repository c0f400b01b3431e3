"""The systems of a study on one set of data and one group of splits, each with the cells that are done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.pages.kbqa_results.judged_cell import CellJudge, JudgedCell
from recombine.pages.kbqa_results.known_system import KnownSystem, known_system
from recombine.pages.kbqa_results.question_facts import QuestionFacts
from recombine.progress import tracked
from recombine.studies.cells.read_record import DONE
from recombine.studies.cells.results import read_outputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.summary import CellResult


@dataclass
class System:
    """A system with the runs that are done."""

    known: KnownSystem
    runs: list[JudgedCell] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Cells that have no result, each with why."""


@dataclass
class Section:
    """What a study has on one set of data and one group of splits."""

    data: str
    group: str
    judge: CellJudge
    systems: list[System]
    parts: int = 1
    """How many splits the group has; the page is of the first."""

    @property
    def facts(self) -> QuestionFacts:
        """The questions."""
        return self.judge.facts

    @property
    def done(self) -> list[System]:
        """The systems that have a run."""
        return [system for system in self.systems if system.runs]

    @property
    def waiting(self) -> int:
        """How many cells have no result."""
        return sum(len(system.missing) for system in self.systems)

    @property
    def names(self) -> str:
        """The file of names that systems with the linker have; empty where they have none."""
        return next((system.known.names for system in self.systems if system.known.names), "")

    def of(self, links: str) -> list[System]:
        """The parsers and baselines with these links that have a run, in the order of rows."""
        return [system for system in self.done if system.known.links == links]


def study_sections(plan: Plan, results: Sequence[CellResult]) -> tuple[list[Section], list[str]]:
    """The sections of a study, and what cannot be shown at all."""
    groups: dict[tuple[str, str], list[CellResult]] = {}
    for result in results:
        groups.setdefault((result.cell.data, result.cell.recipe.group), []).append(result)
    sections, lacking = [], []
    for (data, group), members in groups.items():
        first = next((each for each in members if each.cell.split is not None), None)
        if first is None or first.cell.split is None:
            why = next((each.cell.problem for each in members if each.cell.problem), "its split is not made yet")
            lacking.append(f"{data}, {group}: {why}")
            continue
        facts = QuestionFacts(plan.datasets[data], first.cell.split, first.cell.recipe.part)
        own = [each for each in members if each.cell.recipe_key == first.cell.recipe_key]
        splits = len({each.cell.recipe_key for each in members})
        judge = CellJudge(facts)
        sections.append(Section(data, group, judge, _systems(plan, own, judge, f"{data}, {group}"), splits))
    return sections, lacking


def _systems(plan: Plan, results: Sequence[CellResult], judge: CellJudge, name: str) -> list[System]:
    systems: dict[str, System] = {}
    for result in tracked(results, f"judging {name}", total=len(results)):
        model = result.cell.model
        system = systems.setdefault(model.name, System(known_system(model)))
        if result.state != DONE or result.record is None:
            error = "" if result.record is None else f": {result.record['error']}"
            system.missing.append(f"{result.cell.name}, {result.state}{error}")
            continue
        outputs = {row["id"]: row["prediction"] for row in read_outputs(plan.results, result.record)}
        system.runs.append(judge.judge(result.cell.seed, outputs, system.known))
    return sorted(systems.values(), key=lambda system: system.known.place)
