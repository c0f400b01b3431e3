"""The main job from beginning to end, on data made on the spot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OutputFileError
from recombine.files import write_whole
from recombine.progress import working
from recombine.workbench.features import features
from recombine.workbench.load import load
from recombine.workbench.results.plain import plain
from recombine.workbench.results.result import Result
from recombine.workbench.split import split
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.structures.dataset_features import DatasetFeatures

SIZES: dict[str, Any] = {"train": 8365, "dev": 1046, "test": 1045}
SPLITS: dict[str, dict[str, Any]] = {
    "random": {"by": "random"},
    "length": {"by": "length:target", "max_length": 22},
    "mcd": {"by": "mcd"},
}


@dataclass(frozen=True, repr=False, eq=False)
class DemoResult(Result):
    """Three splits of SCAN, measured; data, splits and report are in the folder."""

    folder: Path
    dataset: Dataset
    features: DatasetFeatures
    splits: Mapping[str, Split]

    def to_dict(self) -> dict[str, Any]:
        """The measured values of each split."""
        value: dict[str, Any] = plain({name: dict(made.measured) for name, made in self.splits.items()})
        return value

    def __str__(self) -> str:
        return f"{len(self.splits)} splits of {self.dataset.name}, with a report, in {self.folder}/"

    def _repr_html_(self) -> str:
        """The table of measures."""
        from recombine.pages.splits.measures_html import measures_html

        measured = {name: made.measured for name, made in self.splits.items()}
        return measures_html(measured, against="test", caption=str(self))


@verb
def demo(out: str | Path = "demo", *, effort: float = 1.0, seed: int = 0) -> DemoResult:
    """Make SCAN, split it three ways, measure the splits, and write all of it with a report into a folder."""
    from recombine.datasets.files.tables import write_table
    from recombine.pages.splits.build_report import build_report

    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFileError(f"{folder}: cannot be made ({error.strerror})", "choose another directory") from error
    with working("making SCAN"):
        dataset = load("scan")
        write_table(dataset, folder / "scan.jsonl")
    with working("finding atoms and compounds (the first run compiles)"):
        made_of = features(dataset)
    splits: dict[str, Split] = {}
    for name, options in SPLITS.items():
        more: dict[str, Any] = {"effort": effort} if name == "mcd" else {}
        splits[name] = split(dataset, **SIZES, **options, **more, seed=seed, structures=made_of)
        splits[name].write(folder / f"{name}.json")
    with working("writing the report"):
        write_whole(folder / "report.html", build_report(dataset, splits, made_of))
    return DemoResult(folder, dataset, made_of, splits)
