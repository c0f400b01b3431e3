"""Everything measurable about a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.measures.floors.random_floor import floor_text
from recombine.progress import working
from recombine.structures.definition import ATOM_ALPHA
from recombine.workbench.features import find_features, folder_definition
from recombine.workbench.given.counted_structures import check_typing, counted_structures
from recombine.workbench.given.data_and_split import data_and_split
from recombine.workbench.results.plain import plain
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.split import Split
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.workbench.features import DefinitionLike
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class MeasureResult(Result):
    """The measured values of a split, by name."""

    measured: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """What `recombine measure --json` prints."""
        printed: dict[str, Any] = plain(self.measured)
        return printed

    def __getitem__(self, key: str) -> Any:
        return self.measured[key]

    def __str__(self) -> str:
        names = {"atom_divergence": "D_A", "compound_divergence": "D_C"}
        sizes = [f"{part} {self.measured[part]:,}" for part in ("train", "dev", "test", "gen") if part in self.measured]
        values = [f"{short} {self.measured[name]:.3f}" for name, short in names.items() if name in self.measured]
        if floor := self.measured.get("random_compound_divergence"):
            values[-1] += f" (random {floor_text(floor)})"
        return ", ".join([*sizes, *values]) + f"; against {self.measured['against']}"


@verb
def measure(
    data: Data,
    split: str | Path | Split,
    *,
    structures: DefinitionLike | DatasetFeatures = None,
    literals: str | None = None,
    names: str | None = None,
    against: str = "test",
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    cluster: str | None = None,
    near_duplicates: float | None = None,
    seed: int = 0,
) -> MeasureResult:
    """Everything measurable about a split: divergences, coverage, ratios, duplicates, and the signature.

    `literals` (keep, type or drop) and `names` (keep or type) say how those of programs are counted, in both halves of
    the structures. With `near_duplicates`, a threshold such as 0.8, test examples that are nearly in train are counted
    too. With `cluster`, the address of a dask scheduler or `local`, data is a folder of Parquet parts, and measured
    there.

    >>> data = [("jump", "JUMP"), ("walk", "WALK"), ("jump twice", "JUMP JUMP")]
    >>> from recombine.workbench.split import split
    >>> measure(data, split(data, test=1))
    <MeasureResult: train 2, test 1; against test>
    """
    from recombine.measures.measure_split import measure_split
    from recombine.measures.near_duplicates.near_duplicates import check_threshold

    del seed  # every verb takes it; nothing here is random
    typing = {"literals": literals, "names": names}
    check_typing(structures, **typing)
    near = None if near_duplicates is None else check_threshold(near_duplicates)
    if cluster is not None:
        if near is not None:
            raise OptionError(
                "near duplicates are not counted on a cluster", "leave out --near-duplicates or --cluster"
            )
        options = {"against": against, "atom_alpha": atom_alpha, "compound_alpha": compound_alpha}
        named = {"source": source, "target": target, "language": language}
        return MeasureResult(_on_cluster(cluster, data, split, structures, typing, named, world, options))
    dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, world=world)
    with working("measuring"):
        return MeasureResult(
            measure_split(
                dataset,
                loaded,
                features=find_features(dataset, counted_structures(dataset, structures, **typing)),
                atom_alpha=atom_alpha,
                compound_alpha=compound_alpha,
                against=against,
                made_to_be_hard=lambda: _made_to_be_hard(loaded),
                near=near,
            )
        )


def _made_to_be_hard(split: Split) -> bool:
    from recombine.splits.made_to_be_hard import made_to_be_hard

    return made_to_be_hard(split.signature)


def _on_cluster(
    cluster: str,
    data: Data,
    split: str | Path | Split,
    structures: DefinitionLike | DatasetFeatures,
    typing: dict[str, str | None],
    named: dict[str, str | None],
    world: str | Path | None,
    options: dict[str, Any],
) -> dict[str, Any]:
    """The same values of a folder of parts, from the sums of its parts."""
    from recombine.cluster.measure_parts import measure_parts
    from recombine.workbench.given.cluster_data import ClusterSplit, cluster_data

    given = ClusterSplit(split)
    with cluster_data(cluster, data, world=world, **given.joined(**named)) as (session, folder):
        return measure_parts(
            session,
            folder,
            given.sides(session, folder, options["against"]),
            sizes=given.sizes,
            made=given.signature,
            structures=folder_definition(folder, counted_structures(folder, structures, **typing)),
            **options,
        )
