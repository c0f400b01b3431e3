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
    return no_structures_text(dataset.name, lacking, len(dataset), knows_language=dataset.language is not None)


def no_structures_text(name: str, lacking: int, total: int, *, knows_language: bool) -> str:
    """The same of data by its name, of whose examples some or all lack a derivation."""
    if knows_language or not lacking:
        return (
            f"{name} does not say what counts as an atom and a compound; name it as its structures, such as "
            "tmcd:geoquery for programs or cfq-table3 for derivations"
        )
    lack = "has no derivations" if lacking == total else f"has {lacking} examples without a derivation"
    return (
        f"{name} {lack}, and the language of its targets is not known; name it with --language, such as "
        "--language sql, or give every example a derivation"
    )
