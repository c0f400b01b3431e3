"""The page on difficulty: its numbers through templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.evaluation.difficulty.judge_difficulty import FEWEST
from recombine.evaluation.statistics.auc import roc_curve
from recombine.pages.difficulty.difficulty_browser import difficulty_browser
from recombine.pages.difficulty.difficulty_summary import tiles
from recombine.pages.difficulty.easiness_figure import easiness_figure
from recombine.pages.drawing.page import render_page
from recombine.pages.drawing.square_figures import DASHES, roc_figure, scatter_figure

if TYPE_CHECKING:
    from markupsafe import Markup

    from recombine.pages.difficulty.difficulty_data import DifficultyData

REASONS = 12
"""How many of the most frequent reasons are listed."""


def render_difficulty(data: DifficultyData) -> bytes:
    """The page as a file."""
    return render_page(
        "difficulty.html",
        styles=("report.css", "difficulty.css"),
        script="difficulty.js",
        browser=difficulty_browser(data),
        title=_title(data),
        data=data,
        tiles=tiles(data),
        roc=_roc(data),
        histogram=_histogram(data),
        scatter=_scatter(data),
        fewest=FEWEST,
        splits=_splits(data),
        reasons=data.reasons[:REASONS],
        left_out=data.tested - len(data.rows),
    )


def _title(data: DifficultyData) -> str:
    whole, (first, _) = data.dataset.name, data.splits[0]
    if len(data.splits) > 1:
        return f"{whole}: which test examples of {len(data.splits)} splits are hard, and why"
    # A file that is all test has no further name.
    of = "" if first == whole else f" of {first.removeprefix(f'{whole}/')}"
    return f"{whole}: which test examples{of} are hard, and why"


def _histogram(data: DifficultyData) -> Markup:
    labels = None if data.labels is None else np.concatenate(data.labels)
    return easiness_figure(data.scores, labels, name="histogram")


def _roc(data: DifficultyData) -> dict[str, Any] | None:
    """The curves with their areas and dashes, for each gold label that has both right and wrong examples."""
    if data.judged is None:
        return None
    all_curves = {name: roc_curve(data.scores, np.concatenate(labels)) for name, labels in data.judged.labels.items()}
    curves = {name: curve for name, curve in all_curves.items() if curve is not None}
    if not curves:
        return None
    keys = [(name, data.judged.areas[name].pooled, DASHES[place % len(DASHES)]) for place, name in enumerate(curves)]
    return {"picture": roc_figure(curves, name="roc"), "keys": keys}


def _scatter(data: DifficultyData) -> Markup | None:
    """Splits by easiness and accuracy; none for a single split, or where accuracy is not known."""
    if data.judged is None or len(data.splits) < 2:
        return None
    points = [
        (name, difficulty.mean_easiness, accuracy)
        for (name, difficulty), accuracy in zip(data.splits, data.judged.accuracies, strict=True)
    ]
    return scatter_figure(points, name="scatter")


def _splits(data: DifficultyData) -> list[dict[str, Any]]:
    """A row of the table for each split, the least easy first."""
    rows = []
    for number, (name, difficulty) in enumerate(data.splits):
        labels = None if data.labels is None else data.labels[number]
        areas = [] if data.judged is None else list(data.judged.within[number].values())
        rows.append(
            {
                "number": number,
                "name": name,
                "counts": difficulty.counts,
                "easiness": difficulty.mean_easiness,
                "wrong": None if labels is None else int(np.count_nonzero(labels == 0)),
                "accuracy": None if data.judged is None else data.judged.accuracies[number],
                "auc": areas[0] if len(areas) == 1 else None,
                "signature": str(difficulty.signature),
            }
        )
    return sorted(rows, key=lambda row: (row["easiness"], row["number"]))
