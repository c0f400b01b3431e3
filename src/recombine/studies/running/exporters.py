"""The families whose cells can be trained elsewhere, and how each writes a folder and reads what comes back."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.models.task import CellOutcome
    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan

SEQ2SEQ, PICTURES, KBQA, PRETRAINED, NQG = "seq2seq", "pictures", "kbqa", "pretrained", "nqg"
_RUN = "python -m recombine.models.{family}.run {{place}} --out {{place}}/out --work {{place}}/work {options}"


@dataclass(frozen=True)
class Exporter:
    """How cells of a family travel; its module is imported when it is wanted."""

    family: str
    form: str
    """What `form` in `study.json` begins with; empty where the folder does not say it."""
    options: str
    """Options of the command there."""
    only: Mapping[str, Any] = field(default_factory=dict)
    """Settings that its cells must have."""

    @property
    def command(self) -> str:
        """What trains the cells of an exported folder, to be filled with its `place` and the study's numbers."""
        return _RUN.format(family=self.family, options=self.options)

    def takes(self, settings: Mapping[str, Any]) -> bool:
        """Whether cells of such settings travel."""
        return all(settings.get(name) == value for name, value in self.only.items())

    def write(self, plan: Plan, dataset: Dataset, cells: Sequence[Cell], folder: Path) -> None:
        """Write a folder with all that some cells of one data set need."""
        self._function("export_{}")(plan, dataset, cells, folder)

    def data(self, plan: Plan, folder: Path) -> Dataset:
        """The data of the study that a folder was made of."""
        made: Dataset = self._function("data_of_{}")(plan, folder)
        return made

    def returned(
        self, cells: Sequence[Cell], dataset: Dataset, folder: Path, outputs: Path
    ) -> tuple[list[tuple[Cell, CellOutcome]], list[str]]:
        """The cells that a result came back for, with it, and the names of results that are of no cell."""
        made: tuple[list[tuple[Cell, CellOutcome]], list[str]] = self._function("returned_{}")(
            cells, dataset, folder, outputs
        )
        return made

    def _function(self, name: str) -> Any:
        module = importlib.import_module(f"recombine.studies.running.export_{self.family}")
        return getattr(module, name.format(self.family))


EXPORTERS: Mapping[str, Exporter] = {
    each.family: each
    for each in (
        Exporter(SEQ2SEQ, "", "--curve {curve} --sample {sample}"),
        Exporter(PICTURES, "recombine-pictures/", "--minutes 9"),
        Exporter(KBQA, "recombine-kbqa/", "--minutes 9"),
        Exporter(PRETRAINED, "recombine-pretrained-cells/", "--minutes 9"),
        Exporter(NQG, "recombine-nqg-cells/", "--minutes 9", {"scorer": "neural"}),
    )
}
"""By the name of the family."""
