"""A cell of a study: one model with one seed on one split; and the runs that a tuned model's values are chosen by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.studies.tuning.choose import choose
from recombine.studies.tuning.held_back import REVISION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.evaluation.match.matchers import Matcher
    from recombine.records.split import Split
    from recombine.studies.cells.kept_split import KeptSplit
    from recombine.studies.file.recipe import Recipe
    from recombine.studies.file.study_file import TuneTable
    from recombine.studies.tuning.choose import TrialResult
    from recombine.studies.tuning.grid import Grid


@dataclass(frozen=True)
class StudyModel:
    """One model of a study with all its settings; of a tuned one that is not chosen yet, those of its preset."""

    name: str
    preset: str
    settings: Mapping[str, Any]
    seeds: tuple[int, ...]
    grid: Grid | None = None
    """What it is tuned over."""
    data: tuple[str, ...] | None = None
    """The data sets that it is trained on; none where they are all."""
    trials: tuple[StudyModel, ...] = ()
    """The model with each combination of the grid, in its order; their seeds are those of tuning."""


@dataclass(frozen=True)
class Cell:
    """One model with one seed on one split."""

    key: str
    name: str
    data: str
    recipe: Recipe
    model: StudyModel
    seed: int
    split: Split | None
    """None where it cannot be, or was not yet, made."""
    problem: str = ""
    """Why the cell cannot be run."""
    recipe_key: str = ""
    """The key of its split's recipe, which the file of the split is named by."""
    unseen: str = "fail"
    """What becomes of symbols that train lacks."""
    plugins: Mapping[str, str] = field(default_factory=dict)
    """The plug-ins of the study, with their versions or digests."""
    match: str = "target"
    """What outputs are compared with."""
    metric: Matcher | None = None
    """What says what is right, where it is not exact match."""
    kept: KeptSplit | None = None
    """What can be said of its split where that was made and the data is not at hand."""
    tuning: Tuning | None = None
    """What its model's values are chosen by, where it is tuned."""

    @property
    def waits(self) -> bool:
        """Whether its values are not chosen yet, so that it can be neither run nor found."""
        return self.tuning is not None and self.tuning.place is None and not self.problem


@dataclass(frozen=True)
class Tuning:
    """The runs of a tuned model on one split, and what they have chosen."""

    model: StudyModel
    data: str
    recipe: Recipe
    """That of the split whose train it looks at."""
    how: TuneTable
    cells: tuple[Cell, ...]
    """Its runs: by combinations, and for each by seeds."""
    results: tuple[TrialResult, ...]
    """What the runs of each combination gave."""
    problem: str = ""
    """Why there can be no runs."""

    @property
    def place(self) -> int | None:
        """The place of the chosen combination; none while runs are to do, or where all failed."""
        return choose(self.results) if self.results else None

    @property
    def chosen(self) -> Mapping[str, Any] | None:
        """The chosen values."""
        return None if self.place is None else self.results[self.place].values

    def failure(self) -> str:
        """Why nothing can be chosen; empty where something is, or can still be."""
        if self.problem:
            return self.problem
        if self.place is not None or any(result.waiting for result in self.results):
            return ""
        errors = [error for result in self.results for error in result.errors]
        return f"all {len(self.results)} combinations of its tuning failed, the first: {errors[0]}" if errors else ""

    def content(self) -> dict[str, Any]:
        """What stands in the key of a cell: all that decides on the choice besides the data, and the choice."""
        return {
            "grid": [] if self.model.grid is None else self.model.grid.content(),
            "share": self.how.share,
            "seed": self.how.seed,
            "seeds": list(self.how.seeds),
            "revision": REVISION,
            "chosen": None if self.chosen is None else dict(self.chosen),
        }

    def to_record(self) -> dict[str, Any]:
        """What stands in the record of a cell: the same, and what the runs gave, with their keys."""
        runs = [
            {"values": dict(r.values), "right": r.right, "n": r.n, "errors": list(r.errors), "runs": list(r.keys)}
            for r in self.results
        ]
        return {**self.content(), "trials": runs}
