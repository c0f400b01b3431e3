"""A split of data, measured."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InfeasibleError, OptionError, UnknownNameError
from recombine.measures.split_warnings import floor_warning
from recombine.progress import bar, working
from recombine.records.split import FORMATS, Split
from recombine.structures.definition import ATOM_ALPHA
from recombine.workbench.features import find_features, folder_definition, needed_features
from recombine.workbench.given.counted_structures import check_typing, counted_structures
from recombine.workbench.given.data_and_split import loading
from recombine.workbench.given.testable_examples import remedy, say_testable
from recombine.workbench.load import load
from recombine.workbench.results.plain import plain
from recombine.workbench.results.result import result_table
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from recombine.options import Option
    from recombine.records.dataset import Dataset
    from recombine.splits.make_split import MadeSplit
    from recombine.splits.splitter import Splitter
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.workbench.features import DefinitionLike
    from recombine.workbench.load import Data

    Wanted = int | float | str | None


@dataclass(frozen=True, repr=False, eq=False)
class SplitResult(Split):
    """A split that was made just now, with its measured values and what is worth knowing about it."""

    notes: tuple[str, ...] = ()
    missed: str | None = None
    """The constraint that it misses, where the best found was wanted all the same."""
    form: str = "ours"
    """The form of its file."""
    order: Sequence[str] = ()
    """The ids of the data by line number, where its form names lines."""
    never_in_test: int | None = None
    """How many examples hold an atom of their own, so that the search could not test them; none if it may."""

    def __eq__(self, other: object) -> bool:
        """Equal to the same split read from its file: what it is compared by is what a split is."""
        if not isinstance(other, Split):
            return NotImplemented
        compared = [each.name for each in fields(Split) if each.compare]
        return all(getattr(self, name) == getattr(other, name) for name in compared)

    __hash__ = Split.__hash__

    def to_dict(self) -> dict[str, Any]:
        """What `recombine split --json` prints, without `seconds`."""
        value = {**self.measured, "notes": self.notes, "file": None}
        if self.never_in_test is not None:
            value["never_in_test"] = self.never_in_test
        if self.missed is not None:
            value["missed"] = self.missed
        printed: dict[str, Any] = plain(value)
        return printed

    def write(self, path: Path | str, *, form: str | None = None, order: Sequence[str] = ()) -> None:
        """Write the split to a file, whole or not at all, in the form it was asked for or in another."""
        super().write(path, form=form or self.form, order=order or self.order)

    def _repr_html_(self) -> str:
        """The measured values as a table."""
        return result_table(str(self), {key: value for key, value in self.to_dict().items() if key != "file"})


@verb
def split(
    data: Data,
    *,
    by: str = "random",
    train: Wanted = None,
    dev: Wanted = None,
    test: Wanted = None,
    seed: int = 0,
    structures: DefinitionLike | DatasetFeatures = None,
    literals: str | None = None,
    names: str | None = None,
    best_effort: bool = False,
    format: str = "ours",  # noqa: A002
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    cluster: str | None = None,
    **options: object,
) -> SplitResult:
    """Split a data set and measure the split; without derivations there are no divergences among the values.

    Sizes are counts, shares, or texts such as `20%`. `options` are those of the method (`split.declared()` lists them).
    With `best_effort`, the best split found is given where a constraint cannot be met, and `missed` says which.
    `literals` (keep, type or drop) and `names` (keep or type) say how those of programs are counted, in both halves of
    the structures. `format` is the form that `write` gives the file. With `cluster`, the address of a dask scheduler or
    `local`, data is a folder of Parquet parts, split and measured there.

    >>> s = split("scan", by="length:target", max_length=22, train=8365, test=1045, seed=1)
    >>> s
    <SplitResult: scan by length:target: train 8,365, test 1,045>
    >>> round(s.measured["compound_divergence"], 2)
    0.43
    """
    from recombine.datasets.catalogue import line_order
    from recombine.splits.methods import make_splitter

    splitter = make_splitter(by, **_sizes(train=train, dev=dev, test=test), seed=seed, **options)
    typing = {"literals": literals, "names": names}
    check_typing(structures, **typing)
    if format not in FORMATS:
        raise UnknownNameError("split format", format, FORMATS)
    if cluster is not None:
        named = {"source": source, "target": target, "language": language}
        made_there = _on_cluster(cluster, data, splitter, structures, typing, named, world, format)
        if made_there.missed is not None and not best_effort:
            raise InfeasibleError(made_there.missed, "take the best found with --best-effort", best=made_there)
        return made_there
    with working(loading(data)):
        dataset = load(data, source=source, target=target, language=language, world=world)
    order = line_order(dataset) if format != "ours" else []
    structures = counted_structures(dataset, structures, **typing)
    made, measured, never = _make(dataset, splitter, structures, best_effort=best_effort)
    from recombine.structures.programs.templates import TEXTS, TEXTS_NOTE

    notes = (*made.notes, *((TEXTS_NOTE,) if measured.signature.get("templates") == TEXTS else ()))
    if never and floor_warning(measured.measured) in measured.measured.get("warnings", ()):
        notes += (f"to let more than {len(dataset) - never:,} examples be tested, {remedy(dataset, structures)}",)
    return SplitResult(
        measured.parts,
        measured.data,
        measured.data_hash,
        measured.signature,
        measured.measured,
        measured.reading,
        notes,
        made.missed,
        format,
        tuple(order),
        never,
    )


def declared() -> Sequence[Option]:
    """The options of all methods."""
    from recombine.splits.method_options import method_options

    return [each.option for each in method_options()]


split.declared = declared  # type: ignore[attr-defined]


def _on_cluster(
    cluster: str,
    data: Data,
    splitter: Splitter,
    structures: DefinitionLike | DatasetFeatures,
    typing: dict[str, str | None],
    named: dict[str, str | None],
    world: str | Path | None,
    form: str,
) -> SplitResult:
    """A split of a folder of parts, made and measured on a cluster."""
    from recombine.cluster.content_hash import content_hash
    from recombine.cluster.measure_parts import measure_parts
    from recombine.cluster.sides import sides_of_rows
    from recombine.cluster.split_parts import check_method, split_parts
    from recombine.workbench.given.cluster_data import cluster_data
    from recombine.workbench.on_cluster.split_result import ClusterSplitResult

    check_method(splitter)
    if form != "ours":
        raise OptionError(f"a cluster does not write the {form} format", "leave out --format or --cluster")
    with cluster_data(cluster, data, world=world, **named) as (session, folder):
        definition = folder_definition(folder, counted_structures(folder, structures, **typing))
        chosen = split_parts(session, folder, content_hash(session, folder), splitter, definition)
        measured = measure_parts(
            session,
            folder,
            sides_of_rows(folder, chosen.parts["train"], chosen.parts["test"]),
            sizes=chosen.sizes,
            made=chosen.signature,
            structures=definition,
            against="test",
            atom_alpha=ATOM_ALPHA,
            compound_alpha=None,
        )
    return ClusterSplitResult.of(chosen, measured, _missed(splitter, measured))


def _missed(splitter: Splitter, measured: dict[str, Any]) -> str | None:
    """The constraint of a search that a split misses, where the search saw a sample alone."""
    cap, reached = getattr(splitter, "max_atom_divergence", None), measured.get("atom_divergence")
    if cap is not None and reached is not None and reached > cap:
        return f"D_A of test is {reached:.4f}, above the cap of {cap}"
    if cap is not None and measured.get("unseen_atom_examples"):
        return f"{measured['unseen_atom_examples']} examples of test hold atoms unseen in train"
    lacking = measured.get("without_compounds", {}).get("test", 0)
    if cap is not None and lacking:
        return f"{lacking} examples of test hold no compound"
    return None


def _sizes(**given: int | float | str | None) -> dict[str, int | float]:
    """The sizes that are named, as numbers."""
    from recombine.splits.sizes import parse_size

    named = {name: size for name, size in given.items() if size is not None}
    return {name: parse_size(size) if isinstance(size, str) else size for name, size in named.items()}


def _make(
    dataset: Dataset, splitter: Splitter, structures: DefinitionLike | DatasetFeatures, *, best_effort: bool
) -> tuple[MadeSplit, Split, int | None]:
    """The split as it was made, with its measured values, and how many examples it could not test.

    A search says how far it is.
    """
    from recombine.splits.make_split import check_sizes

    check_sizes(dataset, splitter)
    if splitter.needs_features:
        with working("finding atoms and compounds"):
            features = needed_features(dataset, structures)
        never = say_testable(dataset, splitter, features, best_effort=best_effort)
        with bar("searching") as update:
            return *_made(dataset, _shown(splitter, update), features, best_effort=best_effort), never
    with working("splitting and measuring"):
        return *_made(dataset, splitter, find_features(dataset, structures), best_effort=best_effort), None


def _made(
    dataset: Dataset, splitter: Splitter, features: DatasetFeatures | None, *, best_effort: bool
) -> tuple[MadeSplit, Split]:
    """The split as it was made, and with its measured values; so has the best that an error carries."""
    from recombine.splits.make_split import make_split, with_measures

    try:
        made = make_split(dataset, splitter, lambda: features, best_effort=best_effort)
    except InfeasibleError as error:
        if error.best is not None:
            error.best = with_measures(error.best, dataset, features)
        raise
    return made, with_measures(made.split, dataset, features)


def _shown(splitter: Splitter, update: Callable[[int, int | None, str], None] | None) -> Splitter:
    """The splitter with its search shown, where somebody looks and it can tell."""
    if update is None or getattr(splitter, "progress", update) is not None:
        return splitter
    if not any(field.name == "progress" for field in fields(splitter)):
        return splitter
    shown: dict[str, Any] = {"progress": lambda done, total, best: update(done, total, f"best D_C {best:.4f}")}
    return replace(splitter, **shown)
