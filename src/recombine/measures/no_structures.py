"""Why data has no atoms and compounds, and what would give it some."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset


def why_no_structures(dataset: Dataset) -> str:
    """The reason and the remedy.

    >>> from recombine.records.dataset import Dataset
    >>> from recombine.records.example import Example
    >>> why_no_structures(Dataset.of("mine", [Example.of("how many", "select count(*) from city")]))[:76]
    'mine has no derivations, and the language of its targets is not known; name '
    """
    if dataset.structures:
        return f"atoms and compounds of {dataset.name} were not asked for; give its features ({dataset.structures})"
    lacking = dataset.count_without_derivation()
    if dataset.language is not None or not lacking:
        return (
            f"{dataset.name} does not say what counts as an atom and a compound; name it as its structures, such as "
            "tmcd:geoquery for programs or cfq-table3 for derivations"
        )
    lack = "has no derivations" if lacking == len(dataset) else f"has {lacking} examples without a derivation"
    return (
        f"{dataset.name} {lack}, and the language of its targets is not known; name it with --language, such as "
        "--language sql, or give every example a derivation"
    )
