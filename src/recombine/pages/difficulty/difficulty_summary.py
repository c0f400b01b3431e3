"""The main numbers of a page on difficulty, each with the words that say what it is."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from recombine.pages.drawing.number_texts import percent, plural

if TYPE_CHECKING:
    from recombine.evaluation.difficulty.judge_difficulty import JudgedSplits
    from recombine.evaluation.statistics.auc import AreaUnderCurve
    from recombine.pages.difficulty.difficulty_data import DifficultyData


@dataclass(frozen=True)
class Tile:
    """A number, what it is, and what else should be known with it."""

    value: str
    label: str
    note: str = ""


def tiles(data: DifficultyData) -> list[Tile]:
    """The numbers in the order in which they are shown; counts of what does not occur are left out, but for symbols."""
    several = f" in {len(data.splits)} splits" if len(data.splits) > 1 else ""
    unobserved, empty = data.total("unobserved_examples"), data.total("without_structures")
    share, unseen = percent(unobserved / data.tested), data.total("unseen_symbol_examples")
    shown = [
        Tile(
            f"{fmean(data.scores.tolist()):.3f}", "mean easiness", f"of {plural(data.tested, 'test example')}{several}"
        ),
        Tile(f"{unobserved:,}", "hold a structure that train never shows", f"{share} of the test examples"),
        Tile(f"{unseen:,}", "hold a symbol that train never shows", f"{percent(unseen / data.tested)} of them"),
    ]
    if empty:
        shown.append(Tile(f"{empty:,}", "have no structures", "and count as easy"))
    if data.judged is not None:
        for name, area in data.judged.areas.items():
            shown += _areas(data.judged, name, area)
    return shown


def _areas(judged: JudgedSplits, name: str, area: AreaUnderCurve) -> list[Tile]:
    of = f" for {name}" if len(judged.areas) > 1 else ""
    counts = f"{area.positives:,} right, {area.negatives:,} wrong"
    if judged.gold in ("majority", "all agree"):
        counts += f", {area.dropped:,} dropped ({'ties' if judged.gold == 'majority' else 'models differ'})"
    shown = [Tile(_number(area.pooled), f"AUC{of}", counts + _interval(area.low, area.high, area.splits))]
    if area.splits > 1:
        mixed = f"{area.mixed_splits} of {area.splits} splits have both right and wrong examples"
        interval = _interval(area.within_low, area.within_high, area.splits)
        shown += [
            Tile(_number(area.within), f"AUC within splits{of}", mixed + interval),
            Tile(_number(judged.constant[name]), f"AUC of the split’s mean{of}", "what telling splits apart is worth"),
        ]
    return shown


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(low: float | None, high: float | None, splits: int) -> str:
    """The interval in words; resampling a single split says nothing."""
    return "" if low is None or high is None or splits < 2 else f"; 95% of resamples: {low:.3f} to {high:.3f}"
