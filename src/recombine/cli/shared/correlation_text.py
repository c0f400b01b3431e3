"""Correlations of divergence and accuracy as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.studies.tables.correlation import Correlation


def correlation_lines(correlations: Mapping[str, Correlation]) -> Iterator[str]:
    """A line for each model that has a correlation, and one that says what stands in brackets."""
    shown = False
    for model, one in correlations.items():
        if one.divergence is None or one.divergence.pearson is None or one.divergence.spearman is None:
            continue
        pearson, spearman = (one.intervals.pearson, one.intervals.spearman) if one.intervals else (None, None)
        shown = True
        yield (
            f"{model}, D_C and accuracy over {one.splits} splits: "
            f"Pearson {_text(one.divergence.pearson, pearson)}, Spearman {_text(one.divergence.spearman, spearman)}"
        )
    if shown:
        yield "in brackets: the middle 95 % of draws of as many splits, with repetition"


def _text(value: float, interval: tuple[float, float] | None) -> str:
    return f"{value:.2f}" + (f" ({interval[0]:.2f} to {interval[1]:.2f})" if interval else "")
