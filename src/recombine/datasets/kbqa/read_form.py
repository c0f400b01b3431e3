"""A file of a known form of release as a data set: items one at a time, what is left out counted and said."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.datasets.files.faults import Faults
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.sidecar import read_sidecar
from recombine.errors import InputFileError
from recombine.files import check_file
from recombine.languages.known import find_language
from recombine.progress import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.datasets.files.rows import PlacedRecord
    from recombine.datasets.kbqa.form import Form
    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.records.world import World, WorldReference

_OURS = ("source", "target")


def read_form(
    path: Path | str,
    form: Form,
    *,
    source: str = "source",
    target: str = "target",
    language: Language | None = None,
    world: Path | str | World | WorldReference | None = None,
) -> Dataset:
    """The data set in a file of a form; `source` and `target` name other fields of its items.

    Targets are in the language of the form where no other is named and they are read from its own field.
    """
    path = check_file(path)
    sidecar = read_sidecar(path)
    fields = (form.source if source == _OURS[0] else source, form.target if target == _OURS[1] else target)
    if language is None and form.language is not None and fields[1] == form.target:
        language = find_language(form.language)
    left_out: Counter[str] = Counter()
    dataset = dataset_of_rows(
        iter_prepared(form.rows(path), form, left_out),
        name=Path(path.name.removesuffix(".gz")).stem,
        source=fields[0],
        target=fields[1],
        language=language,
        context=sidecar.context,
        identity=sidecar.identity,
        faults=Faults(path),
    )
    reasons = " and ".join(f"{count:,} {reason}" for reason, count in sorted(left_out.items()))
    if not len(dataset):
        said = f"of {reasons}, which are left out, there are none" if reasons else "there are none"
        raise InputFileError(f"{path}: no questions of {form.name}: {said}", "give a file with at least one")
    if reasons:
        note(f"{path}: {len(dataset):,} questions of {form.name}; left out: {reasons}")
    return replace(dataset, fields=fields, world=sidecar.world_of(world))


def iter_prepared(rows: Iterator[PlacedRecord], form: Form, left_out: Counter[str]) -> Iterator[PlacedRecord]:
    """The items of a form with ids and answers; what is left out is counted by its reason."""
    for row in rows:
        reason = form.prepare(row)
        if reason:
            left_out[reason] += 1
            continue
        if form.key:
            if form.key not in row.record:
                raise row.fault(f"no field {form.key!r}", "give every item its id")
            row.record["id"] = row.record[form.key]
        yield row
