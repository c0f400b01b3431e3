"""The data of a plan: at hand, or known by the facts that are kept of it, which is enough for keys."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.studies.cells.data_facts import facts_of, keep_facts, read_facts
from recombine.studies.cells.generated_key import generated_key
from recombine.studies.cells.known_splits import KnownSplits, are_known
from recombine.studies.cells.load_data import LazyFeatures, StudyData
from recombine.studies.cells.make_split import SplitMaker
from recombine.studies.cells.results_folder import MARKER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from recombine.studies.cells.data_facts import DataFacts
    from recombine.studies.cells.plugins_used import Described
    from recombine.studies.file.recipe import Recipe
    from recombine.studies.file.study_file import DataTable, StudyFile


@dataclass(frozen=True)
class PlannedData:
    """The data of a study file in a folder, and its splits beside results."""

    folder: Path
    results: Path
    recipes: Mapping[str, Sequence[Recipe]]
    """Of the splits of each data set."""
    datasets: StudyData
    keys: Mapping[str, str]
    """Of what is generated, by labels."""
    known: Mapping[str, DataFacts] = field(default_factory=dict)
    """The facts of what is not at hand."""

    @classmethod
    def at_hand(
        cls, study: StudyFile, folder: Path, results: Path, recipes: Mapping[str, Sequence[Recipe]], *, keep: bool
    ) -> PlannedData:
        """Data that is made or read; with `keep`, facts of it can be kept."""
        # Keys are made before the data is: what is edited meanwhile does not decide it.
        keys = _keys(study, folder) if keep else {}
        return cls(folder, results, recipes, StudyData(study.data, folder), keys)

    @classmethod
    def by_facts(
        cls, study: StudyFile, folder: Path, results: Path, recipes: Mapping[str, Sequence[Recipe]]
    ) -> PlannedData:
        """Data that is not made where facts are kept of it that say enough for all keys."""
        # Metrics and hybrids look at examples.
        kept = {} if study.metric or study.hybrid else read_facts(results)
        keys = _keys(study, folder) if kept else {}
        known = {
            label: kept[key] for label, key in keys.items() if key in kept and are_known(kept[key], recipes[label])
        }
        return cls(folder, results, recipes, StudyData(study.data, folder), keys, known)

    def described(self, say: Callable[[str], None]) -> dict[str, Described]:
        """What is known of each data set besides its examples; what is to be at hand is now."""
        found: dict[str, Described] = dict(self.known)
        for label in self.datasets:
            if label not in self.known:
                say(f"loading {label}")
                found[label] = self.datasets[label]
        return found

    def splits(self, table: DataTable, plugins: Mapping[str, str]) -> SplitMaker | KnownSplits:
        """The splits of one data set."""
        kept = self.results / "splits"
        if table.label in self.known:
            return KnownSplits(self.known[table.label], kept, self.folder, plugins)
        dataset = self.datasets[table.label]
        features = LazyFeatures(dataset, measure=table.measure)
        return SplitMaker(dataset, features, kept, self.folder, plugins, self.datasets.plain(table.label))

    def keep(self, splits: Mapping[str, SplitMaker | KnownSplits]) -> None:
        """Keep the facts of what was generated, where the folder is one of results by now."""
        made = {
            self.keys[label]: facts_of(each, self.recipes[label])
            for label, each in splits.items()
            if label in self.keys and isinstance(each, SplitMaker)
        }
        if (self.results / MARKER).exists():
            keep_facts(self.results, made)


def _keys(study: StudyFile, folder: Path) -> dict[str, str]:
    found = {table.label: generated_key(table, folder) for table in study.data}
    return {label: key for label, key in found.items() if key is not None}
