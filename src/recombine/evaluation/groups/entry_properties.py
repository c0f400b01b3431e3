"""Which entries have a property: one that a predicate says, or all that have a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import RecombineError
from recombine.evaluation.groups.axes import property_names
from recombine.measures.properties.holds import Properties
from recombine.measures.properties.predicate import parse_predicate
from recombine.measures.properties.property_table import property_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset

_ANY = "*"
"""What the name of a property with an open part ends in."""


class EntryProperties:
    """The properties of the entries of a part; programs are read once for all of them."""

    def __init__(self, dataset: Dataset, ids: Sequence[str], own: Path | str | None = None) -> None:
        part = dataset.restricted(ids)
        self._table = property_table(own)
        self._properties = Properties(part)
        self._places = [part.index[key] for key in ids]

    @property
    def own(self) -> str:
        """The file of one's own properties, as a signature names it; empty where there is none."""
        return self._table.own

    def holds(self, predicate: str) -> list[bool]:
        """Whether a predicate holds of each entry."""
        mask = self._properties.holds(self._table.expanded(parse_predicate(predicate)))
        return [bool(mask[place]) for place in self._places]

    def labels(self, predicate: str) -> list[str]:
        """The label of each entry by a predicate."""
        having, lacking = property_names(predicate)
        return [having if held else lacking for held in self.holds(predicate)]

    def named(self) -> tuple[dict[str, list[bool]], dict[str, str]]:
        """Of each property that has a name, whether it holds of each entry; and of the others why it is not known.

        What a split by name holds out is a property too, where it is not one of those.
        """
        predicates = {name: name for name in self._table.properties if not name.endswith(_ANY)}
        said = {str(self._table.expanded(parse_predicate(text))) for text in predicates.values()}
        for preset in self._table.presets.values():
            if preset.held_out and str(self._table.expanded(parse_predicate(preset.held_out))) not in said:
                predicates[preset.held_out] = preset.held_out
        found: dict[str, list[bool]] = {}
        refused: dict[str, str] = {}
        for name, predicate in predicates.items():
            try:
                found[name] = self.holds(predicate)
            except RecombineError as error:  # such as a field that the data does not have
                refused[name] = error.problem
        return found, refused
