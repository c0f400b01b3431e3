"""Two models of a study as one: the first's output where it has one, else the fallback's (§4 of the NQG-T5 paper).

All comes from stored predictions; nothing is run. Cells of the two models belong together that are of the same split
and seed; those of the fallback may be of other data with the same ids, such as sources with schemas.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.evaluation.compare import mcnemar
from recombine.studies.cells.read_record import DONE
from recombine.studies.cells.results import read_outputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.studies.cells.plan import Plan
    from recombine.studies.file.study_file import HybridTable
    from recombine.studies.tables.summary import CellResult


@dataclass(frozen=True)
class HybridRow:
    """A hybrid on splits of one kind: shares that are right in percent, means over its runs."""

    split: str
    name: str
    first: str
    fallback: str
    runs: int
    fallback_alone: float | None
    hybrid: float | None
    gained: int
    """Examples of all runs that the hybrid has right and the fallback has not."""
    lost: int
    p: float | None
    """The largest p-value of McNemar's exact test of the hybrid against its fallback, of any run."""
    paper: float | None
    missing: str
    """Why there is nothing."""

    def to_record(self) -> dict[str, Any]:
        """As it is written in JSON."""
        return asdict(self)


@dataclass(frozen=True)
class _Run:
    fallback: float
    hybrid: float
    gained: int
    lost: int


def hybrid_rows(plan: Plan, results: Sequence[CellResult]) -> list[HybridRow]:
    """A row for each hybrid and kind of split that its first model is trained on."""
    return [row for hybrid in plan.study.hybrid for row in _rows(plan, hybrid, results)]


def _rows(plan: Plan, hybrid: HybridTable, results: Sequence[CellResult]) -> Iterator[HybridRow]:
    groups: dict[tuple[str, str], list[CellResult]] = {}
    for result in results:
        cell = result.cell
        if cell.model.name == hybrid.first:
            groups.setdefault((cell.data, cell.recipe.group), []).append(result)
    others = {_place(result): result for result in results if result.cell.model.name == hybrid.fallback}
    for (data, group), firsts in groups.items():
        of_fallback = [others.get((hybrid.fallback_data.get(data, data), *_place(first)[1:])) for first in firsts]
        gone = f"{hybrid.fallback} is not run here" if hybrid.fallback in plan.left_out else ""
        if all(each is None for each in of_fallback) and not gone:
            continue  # the fallback is not trained on these splits
        label = f"{data}: {group}" if len(plan.datasets) > 1 else group
        missing = gone or _missing(firsts, of_fallback)
        pairs = zip(firsts, of_fallback, strict=True)
        runs = [] if missing else [_run(plan, one, two) for one, two in pairs if two is not None]
        yield _row(label, hybrid, runs, hybrid.paper.get(group), missing)


def _place(result: CellResult) -> tuple[str, str, int]:
    return result.cell.data, result.cell.recipe.name, result.cell.seed


def _missing(firsts: Sequence[CellResult], fallbacks: Sequence[CellResult | None]) -> str:
    """Why a hybrid cannot be told of: which of its cells are not done."""
    waiting = [each.cell.name for each in (*firsts, *fallbacks) if each is not None and each.state != DONE]
    return f"not done: {waiting[0]}" + (f" and {len(waiting) - 1} more" if len(waiting) > 1 else "") if waiting else ""


def _run(plan: Plan, first: CellResult, fallback: CellResult) -> _Run:
    one, two = _outputs(plan, first), _outputs(plan, fallback)
    if one.keys() != two.keys():
        raise InputFileError(
            f"the cells {first.cell.name} and {fallback.cell.name} do not have the same examples", "run them again"
        )
    times = _times(first, one)
    gained = lost = right = right_alone = 0
    for key, (output, correct) in one.items():
        alone = two[key][1]
        both = correct if output else alone
        right, right_alone = right + both * times[key], right_alone + alone * times[key]
        gained, lost = gained + (both and not alone) * times[key], lost + (alone and not both) * times[key]
    total = sum(times.values())
    return _Run(100 * right_alone / total, 100 * right / total, gained, lost)


def _outputs(plan: Plan, result: CellResult) -> dict[str, tuple[str, bool]]:
    rows = read_outputs(plan.results, result.record or {})
    return {row["id"]: (row["prediction"], row["correct"]) for row in rows}


def _times(result: CellResult, rows: dict[str, tuple[str, bool]]) -> Counter[str]:
    """How often each example occurs in the part; a repeated one has one line of predictions."""
    cell = result.cell
    if cell.split is not None:
        return Counter(cell.split.part(cell.recipe.part))
    if result.record is None or result.record["score"]["n"] != len(rows):
        raise InputFileError(f"the split of {cell.name} has repeated examples and is not here", "run `study run`")
    return Counter(list(rows))


def _row(label: str, hybrid: HybridTable, runs: Sequence[_Run], paper: float | None, missing: str) -> HybridRow:
    return HybridRow(
        label,
        hybrid.name,
        hybrid.first,
        hybrid.fallback,
        len(runs),
        fmean(run.fallback for run in runs) if runs else None,
        fmean(run.hybrid for run in runs) if runs else None,
        sum(run.gained for run in runs),
        sum(run.lost for run in runs),
        max((mcnemar(run.gained, run.lost) for run in runs), default=None),
        paper,
        missing,
    )
