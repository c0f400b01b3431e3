"""A split that a cluster made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.workbench.split import SplitResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.cluster.split_parts import ChosenRows


class _ReadParts(Mapping[str, tuple[str, ...]]):
    """The ids of each part, read from the data when one is asked for."""

    def __init__(self, chosen: ChosenRows) -> None:
        self._chosen = chosen

    @cached_property
    def _parts(self) -> Mapping[str, tuple[str, ...]]:
        return self._chosen.ids()

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen.parts)

    def __len__(self) -> int:
        return len(self._chosen.parts)


class ClusterSplitResult(SplitResult):
    """A split that a cluster made: sizes and values are known, ids are read from the data when they are asked for."""

    chosen: ChosenRows

    @classmethod
    def of(cls, chosen: ChosenRows, measured: Mapping[str, Any], missed: str | None = None) -> ClusterSplitResult:
        """The result of rows that were chosen, with their measured values."""
        data = chosen.data
        made = cls(
            _ReadParts(chosen), data.name, chosen.data_hash, chosen.signature, measured, data.reading, (), missed
        )
        object.__setattr__(made, "chosen", chosen)
        return made

    def sizes(self) -> dict[str, int]:
        """Entries per part."""
        return self.chosen.sizes

    def write(self, path: Path | str, *, form: str | None = None, order: Sequence[str] = ()) -> None:
        """Write a split folder where the name has no suffix, else a file as other splits are."""
        if is_folder(path):
            self.chosen.write_folder(path, self.measured)
        else:
            super().write(path, form=form, order=order)


def is_folder(path: Path | str) -> bool:
    """Whether a cluster writes a split as a folder: the name has no suffix. Others than .json are refused."""
    suffix = Path(path).suffix
    if suffix not in ("", ".json"):
        raise OptionError(f"{path}: a cluster writes a split as a folder or as .json", "give a name with no suffix")
    return not suffix
