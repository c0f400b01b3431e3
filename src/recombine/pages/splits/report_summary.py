"""The first sentences of a report: what a split holds out, with the main numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.pages.drawing.number_texts import percent, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.pages.splits.frequencies import Frequencies
    from recombine.pages.splits.held_out import HeldOutCompound
    from recombine.pages.splits.report_data import SplitData


def summary(split: SplitData, against: str) -> str:
    """What the split holds out, in a few sentences."""
    measured = split.measured
    text = f"Trains on {plural(measured['train'], 'example')} and tests on {measured[against]:,}."
    if split.compounds is not None:
        text += f" {_rules(measured, against)} {_compounds(split.compounds, split.deciding, against)}"
    return f"{text} {_patterns(measured, against)}"


def heaviest(split: SplitData, count: int = 4, least: float = 0.05) -> tuple[HeldOutCompound, ...]:
    """The heaviest compounds that train lacks, where those that contain one make at least this share of D_C."""
    return tuple(held for held in split.held_out.chosen if held.family >= least)[:count]


def _rules(measured: Mapping[str, Any], against: str) -> str:
    unseen, divergence = measured["unseen_atom_examples"], measured["atom_divergence"]
    if unseen:
        return f"{plural(unseen, against + ' example')} hold rules that train lacks (D_A\u00a0{divergence:.3f})."
    return f"Every rule of {against} is in train (D_A\u00a0{divergence:.3f})."


def _compounds(frequencies: Frequencies, deciding: str, against: str) -> str:
    share = percent(frequencies.only_in_test / frequencies.in_test)
    of_kind = f" ({deciding})" if deciding else ""
    return (
        f"Of {against}’s {plural(frequencies.in_test, 'compound')}{of_kind}, {frequencies.only_in_test:,} ({share}) "
        f"never occur in train (D_C\u00a0{frequencies.divergence:.3f})."
    )


def _patterns(measured: Mapping[str, Any], against: str) -> str:
    coverage = measured["pattern_coverage"]
    source, target = percent(coverage["source"]), percent(coverage["target"])
    return f"Train has {source} of {against}’s source patterns and {target} of its target patterns."
