"""A split that a cluster made: its sizes and measured values, and its ids when it is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.workbench.results.plain import plain
from recombine.workbench.results.result import Result

if TYPE_CHECKING:
    from recombine.cluster.split_parts import ChosenRows
    from recombine.records.signature import Signature
    from recombine.records.split import Split


@dataclass(frozen=True, repr=False, eq=False)
class ClusterSplitResult(Result):
    """The rows that were chosen, with their measured values; ids are read again from the data when it is written."""

    chosen: ChosenRows
    measured: dict[str, Any]
    notes: tuple[str, ...] = ()
    missed: str | None = None

    @property
    def signature(self) -> Signature:
        """How the split was made."""
        return self.chosen.signature

    def to_dict(self) -> dict[str, Any]:
        """What `recombine split --json` prints, without `seconds`."""
        value = {**self.measured, "notes": self.notes, "file": None}
        if self.missed is not None:
            value["missed"] = self.missed
        printed: dict[str, Any] = plain(value)
        return printed

    def __str__(self) -> str:
        sizes = ", ".join(f"{name} {size:,}" for name, size in self.chosen.sizes.items())
        return f"{self.chosen.data.name} by {self.signature.get('by')}: {sizes}"

    def split(self) -> Split:
        """The split with all its ids."""
        return self.chosen.split(self.measured)

    def write(self, path: Path | str) -> None:
        """Write a file of our own form where the name ends in .json, else a split folder."""
        if is_folder(path):
            self.chosen.write_folder(path, self.measured)
        else:
            self.split().write(path)


def is_folder(path: Path | str) -> bool:
    """Whether a split is written as a folder: the name has no suffix. Others than .json are refused."""
    suffix = Path(path).suffix
    if suffix not in ("", ".json"):
        raise OptionError(f"{path}: a cluster writes a split as a folder or as .json", "give a name with no suffix")
    return not suffix
