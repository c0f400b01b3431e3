"""Coverage and precision of models that abstain, by splits (Table 5 of the NQG-T5 paper), and the rules of grammars."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from recombine.models.known import find_family
from recombine.studies.cells.read_record import DONE, main_metric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.studies.cells.plan import Plan
    from recombine.studies.file.study_file import PaperTable
    from recombine.studies.tables.summary import CellResult


@dataclass(frozen=True)
class Abstention:
    """One model on splits of one kind: shares in percent, means over its runs."""

    split: str
    model: str
    runs: int
    coverage: float
    """Examples with an output."""
    precision: float | None
    """Right ones among outputs of all runs; none where there is no output."""
    rules: float | None
    """The rules of its grammar, where it has one."""
    paper_coverage: float | None
    paper_precision: float | None

    def to_record(self) -> dict[str, Any]:
        """As it is written in JSON."""
        return asdict(self)


def abstentions(plan: Plan, results: Sequence[CellResult]) -> list[Abstention]:
    """A row for each model and kind of split, of models that can abstain and did anywhere."""
    abstaining = {r.cell.model.name for r in results if r.state == DONE and _abstained(r)}
    groups: dict[tuple[str, str, str], list[CellResult]] = {}
    for result in results:
        if result.state == DONE and result.cell.model.name in abstaining:
            cell = result.cell
            groups.setdefault((cell.model.name, cell.data, cell.recipe.group), []).append(result)
    front = {data: f"{data}: " if len(plan.datasets) > 1 else "" for data in plan.datasets}
    return [_row(plan, f"{front[data]}{group}", model, group, done) for (model, data, group), done in groups.items()]


def _row(plan: Plan, split: str, model: str, group: str, done: Sequence[CellResult]) -> Abstention:
    scores = [_score(result) for result in done]
    right = sum(round(score[main_metric(r.record or {})] * score["n"]) for score, r in zip(scores, done, strict=True))
    outputs = sum(score["n"] - score["abstained"] for score in scores)
    rules = [r.record["notes"]["rules"] for r in done if r.record is not None and "rules" in r.record["notes"]]
    paper = _paper(plan, model, group)
    return Abstention(
        split,
        model,
        len(done),
        100 * fmean(score["coverage"] for score in scores),
        100 * right / outputs if outputs else None,
        fmean(rules) if rules else None,
        None if paper is None else paper.coverage,
        None if paper is None else paper.precision,
    )


def _abstained(result: CellResult) -> bool:
    """Whether its model abstained: an empty output of a family that always gives one is a wrong output."""
    return bool(_score(result).get("abstained")) and find_family(result.cell.model.preset).abstains


def _score(result: CellResult) -> Mapping[str, Any]:
    return {} if result.record is None else result.record["score"]


def _paper(plan: Plan, model: str, group: str) -> PaperTable | None:
    return next((each for each in plan.study.paper if each.model == model and each.splits == [group]), None)
