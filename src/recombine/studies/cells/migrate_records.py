"""Records of the form recombine-cell/1 brought over to the form of now, under their new keys.

The old key held the version of the package and left out the language, the measured structures and the revisions. An old
record is matched to a cell by that very key, made again from the cell with the versions that the record names: so it is
of the same data, ids, settings and seed. What the old key left out is looked up in the record: the language in the
signature of its score, the structures in that of what was measured. All old records are of revision 1 of their model
and method. A record that cannot be matched stays as it is, and it is said why.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import RecombineError
from recombine.evaluation.predictions import Predictions, assign
from recombine.files import write_whole
from recombine.models.known import find_family
from recombine.records.signature import Signature
from recombine.studies.cells.cell_key import FORM, OLDER
from recombine.studies.cells.digest import bytes_digest, content_key, ids_digest
from recombine.studies.cells.read_record import DONE, read_object, read_predictions, read_record, read_rows
from recombine.studies.cells.split_keys import method_revision
from recombine.studies.cells.stored_cells import iter_records, older_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell

OLD = OLDER[0]
REVISION = 1
"""The revision of every family and method when the old form was written."""


@dataclass(frozen=True)
class Migrated:
    """What became of records of the old form."""

    moved: tuple[str, ...] = ()
    """The names of cells whose records were brought over."""
    left: Mapping[str, str] = field(default_factory=dict)
    """Files that stay as they are, with the reason."""

    def messages(self) -> list[str]:
        """What to tell a person."""
        lines = [f"{len(self.moved)} records of the form {OLD} brought over to {FORM}"] if self.moved else []
        return lines + [f"{name} stays in the form {OLD}: {reason}" for name, reason in self.left.items()]


def waiting_records(results: Path) -> dict[str, str]:
    """The records of the old form, where nothing is to be changed."""
    return {path.name: "not brought over yet; run `recombine study migrate`" for path in older_records(results)}


def migrate_records(results: Path, cells: Sequence[Cell], datasets: Mapping[str, Dataset]) -> Migrated:
    """Bring over the old records of these cells."""
    paths = _unfinished(results, older_records(results))
    records = {path: read_record(path, OLD) for path in paths}
    versions = {_versions(record) for record in records.values()}
    known = {_old_key(cell, datasets[cell.data], *both): cell for cell in cells for both in versions}
    moved, left = [], {}
    for path, record in records.items():
        cell = known.get(record["key"])
        reason = (
            f"it is of no cell of this study ({record['name']})"
            if cell is None
            else _difference(cell, datasets[cell.data], record, results)
        )
        if cell is not None and not reason:
            reason = _move(cell, record, results)
        if reason:
            left[path.name] = reason
        else:
            moved.append(record["name"])
    return Migrated(tuple(moved), left)


def _unfinished(results: Path, paths: Sequence[Path]) -> list[Path]:
    """The old records that are still to be moved; what a kill left of one that was moved is removed."""
    origins = [read_object(path).get("migrated") for path in iter_records(results)]
    moved = {origin["key"] for origin in origins if isinstance(origin, dict) and "key" in origin}
    for path in paths:
        if path.stem in moved:
            _remove(results, path.stem)
    return [path for path in paths if path.stem not in moved]


def _versions(record: Mapping[str, Any]) -> tuple[str, str]:
    """The versions of the package that stored the record and that made its split."""
    signature = record["split"].get("signature")
    made = Signature.parse(signature).get("version") if signature else ""
    return record["version"], made


def _old_key(cell: Cell, dataset: Dataset, version: str, made: str) -> str:
    """The key that the old form gave to a cell."""
    data = f"{dataset.name}@{dataset.hash}"
    content: dict[str, Any] = {"form": OLD, "data": data, "version": version}
    if cell.unseen == "keep":
        content["unseen"] = "keep"
    if cell.split is None:
        content["recipe"] = content_key({"data": data, "version": version, **cell.recipe.content()})
    else:
        parts, signature = cell.split.parts, cell.split.signature.without("version")
        digest = ids_digest(parts.get("train", ()), parts.get(cell.recipe.part, ()))
        text = str(Signature((*signature.fields, ("version", made))))
        content |= {"split": text, "ids": digest, "part": cell.recipe.part}
    family = find_family(cell.model.preset).name
    return content_key({**content, "family": family, "settings": dict(cell.model.settings), "seed": cell.seed})


def _difference(cell: Cell, dataset: Dataset, record: Mapping[str, Any], results: Path) -> str:
    """What speaks against the record being this cell's, of what the old key did not hold; empty where nothing does."""
    family = find_family(cell.model.preset)
    if family.revision != REVISION:
        return f"the model family {family.name} has the revision {family.revision} now"
    if method_revision(cell.recipe) != REVISION:
        return f"the method {cell.recipe.by} has the revision {method_revision(cell.recipe)} now"
    split = cell.split
    if split is not None:
        then, now = _structures(record["split"]["measured"] or {}), _structures(split.measured)
        if then != now:
            return f"{then or 'no structures'} were measured on its split, and {now or 'no structures'} now"
    if record["state"] != DONE or split is None:
        return ""
    signature = Signature.parse(record["score"]["signature"])
    language = "unknown" if dataset.language is None else dataset.language.name
    if signature.get("language") != language:
        return f"it was scored as {signature.get('language')}, the data is {language}"
    ids = split.part(cell.recipe.part)
    rows = read_rows(results / f"{record['key']}.jsonl.gz")
    if [row["id"] for row in rows] != list(dict.fromkeys(ids)) or record["score"]["n"] != len(ids):
        return "its predictions are not for the examples of the split"
    outputs = Predictions.of({row["id"]: row["prediction"] for row in rows})
    try:
        digest = assign(outputs, dataset, ids, part=cell.recipe.part, allow_missing=False).digest
    except RecombineError as error:
        return str(error)
    if signature.get("outputs") != f"{outputs.name}@{digest}":
        return "its predictions are not those that were scored"
    return ""


def _structures(measured: Mapping[str, Any]) -> str:
    text = measured.get("signature")
    return Signature.parse(text).get("structures") if text else ""


def _move(cell: Cell, record: dict[str, Any], results: Path) -> str:
    """Write the record under its new key, then remove the old files; a kill at any point leaves one of both whole."""
    old, family = record["key"], find_family(cell.model.preset)
    made = {
        **record,
        "form": FORM,
        "key": cell.key,
        "split": {**record["split"], "key": cell.recipe_key},
        "model": {**record["model"], "family": family.name, "revision": family.revision},
        "predictions": None,
        "migrated": {"form": OLD, "key": old},
    }
    if record["state"] == DONE:
        made["predictions"] = bytes_digest(read_predictions(results / f"{old}.jsonl.gz"))
    path = results / f"{cell.key}.json"
    if path.exists() and read_record(path)["predictions"] != made["predictions"]:
        return f"{path.name} is another result of the same cell"
    if not path.exists():
        for name in (f"{old}.jsonl.gz", f"timings/{old}.json"):
            if (results / name).exists():
                _copy(results / name, results / name.replace(old, cell.key))
        write_whole(path, orjson.dumps(made, option=orjson.OPT_INDENT_2) + b"\n")
    _remove(results, old)
    return ""


def _remove(results: Path, key: str) -> None:
    """Remove the files of a cell, its record last: as long as it exists, the rest can be found."""
    for name in (f"{key}.jsonl.gz", f"timings/{key}.json", f"{key}.json"):
        (results / name).unlink(missing_ok=True)


def _copy(path: Path, to: Path) -> None:
    """The same bytes under another name, whole or not at all; a packed file is not packed anew."""
    temporary = to.with_name(f".{to.name}.migrated")
    shutil.copyfile(path, temporary)
    temporary.replace(to)
