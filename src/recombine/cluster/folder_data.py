"""A folder of Parquet parts as the verbs of a cluster see it: where each part begins, and how its rows are read.

The rows of a part are read in blocks, so that what a worker holds does not grow with the size of a part. The content
hash is that of the whole data set (`content_hash.py`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.files.part_folder import part_paths
from recombine.errors import DerivationError, InputFileError, RecordError
from recombine.languages.known import find_language
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation, has_logical_rules
from recombine.records.example import Example
from recombine.records.reading import Reading, path_hint
from recombine.structures.definition import RULE_STRUCTURES, STRUCTURES
from recombine.structures.own_structures import own_structures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from recombine.cluster.session import Session

BLOCK = 25_000
"""The rows that a worker holds as examples at a time."""
_PIECE = 1 << 20


@dataclass(frozen=True)
class FolderData:
    """What is known of a folder before its rows are read."""

    name: str
    path: str
    paths: list[str]
    digests: list[str]
    """Of the files, so that what was found out about them can be kept."""
    sizes: list[int]
    """The rows of each part."""
    lacking: int
    """The rows without a derivation."""
    has_ids: bool
    source: str
    target: str
    language: str | None
    repeats: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = field(default_factory=dict)
    """For data without ids, by part: the rows whose content stood before, and their occurrence numbers."""
    logical: bool = False
    """Whether the first derivation has rules of inference, resolution or knowledge."""

    def __len__(self) -> int:
        return sum(self.sizes)

    @cached_property
    def starts(self) -> list[int]:
        """The number of the first row of each part, and the number of all rows."""
        starts = [0]
        for size in self.sizes:
            starts.append(starts[-1] + size)
        return starts

    @property
    def structures(self) -> str:
        """The definition where none is named, as for a file."""
        if self.language:
            return own_structures(find_language(self.language))
        return "" if self.lacking else RULE_STRUCTURES if self.logical else STRUCTURES

    @property
    def reading(self) -> Reading:
        """How the data is read, for its splits to remember."""
        language = None if self.language is None else find_language(self.language).remembered
        return Reading(language, self.source, self.target, path_hint(self.path))

    def task(self, part: int) -> dict[str, Any]:
        """What a task must know to read a part."""
        return {
            "name": self.name,
            "path": self.paths[part],
            "size": self.sizes[part],
            "has_ids": self.has_ids,
            "source": self.source,
            "target": self.target,
            "language": self.language,
            "structures": self.structures,
            "repeats": self.repeats.get(part),
        }

    def tasks(self) -> list[dict[str, Any]]:
        """What the tasks of all parts must know."""
        return [self.task(part) for part in range(len(self.paths))]


def survey_folder(
    session: Session, path: Path | str, *, source: str | None, target: str | None, language: str | None
) -> FolderData:
    """What a folder holds; a part that cannot be used is an error that names it."""
    if not Path(path).exists():
        raise InputFileError(f"{path}: no such folder", "check the path")
    if not Path(path).is_dir():
        raise InputFileError(f"{path}: is one file, and a cluster works on parts", "give a folder of Parquet parts")
    if language is not None:
        find_language(language)
    paths = [str(part.resolve()) for part in part_paths(path)]
    fields = (source or "source", target or "target")
    parts = session.map("looking at parts", "folder_data:survey_part", [(part, *fields) for part in paths])
    ids = [part["ids"] for part in parts]
    if any(ids) and not all(ids):
        one, other = paths[ids.index(False)], paths[ids.index(True)]
        raise InputFileError(f"{one}: has no ids, though {other} has", "give ids to all records or to none")
    return FolderData(
        Path(Path(path).name or Path(path).resolve().name).stem,
        str(path),
        paths,
        [part["digest"] for part in parts],
        [part["rows"] for part in parts],
        sum(part["lacking"] for part in parts),
        all(ids),
        *fields,
        language,
        logical=parts[0]["logical"],
    )


def survey_part(path: str, source: str, target: str) -> dict[str, Any]:
    """What one part holds."""
    import pyarrow as pa

    with _opened(path) as file:
        columns, rows = file.schema_arrow.names, file.metadata.num_rows
        if not rows:
            raise InputFileError(f"{path}: has no records", "leave the part out")
        for name, option in ((source, "--source"), (target, "--target")):
            if name not in columns:
                have = ", ".join(columns)
                raise RecordError(path, "row 1", f"no field {name!r}", f"it has: {have}; name the field with {option}")
        ids = _nulls(file, path, "id")
        if ids not in (0, rows):
            raise InputFileError(f"{path}: {ids} records have no id, though others have", "give ids to all or to none")
        kind = file.schema_arrow.field("id").type if ids == 0 else pa.string()
        if not (_is_text(kind) or pa.types.is_integer(kind)):
            raise RecordError(path, "row 1", "the id is neither text nor a whole number", "mend it")
        lacking = _nulls(file, path, "derivation")
        logical = not lacking and _is_logical(next(iter(_batches(file, path, ["derivation"]))).column(0)[0].as_py())
    return {"rows": rows, "ids": ids == 0, "lacking": lacking, "logical": logical, "digest": _file_digest(path)}


def _is_logical(written: Any) -> bool:
    """Whether a derivation has rules of inference, resolution or knowledge; one that cannot be read has none here."""
    try:
        return has_logical_rules(Derivation.from_rows(orjson.loads(written)))
    except (DerivationError, TypeError, ValueError):
        return False  # reading the part says what is wrong with it


def _nulls(file: Any, path: str, column: str) -> int:
    """How many rows have nothing in a column, which may not be there."""
    if column not in file.schema_arrow.names:
        return int(file.metadata.num_rows)
    return sum(batch.column(0).null_count for batch in _batches(file, path, [column]))


def _opened(path: str) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path, memory_map=True)
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such file", "every worker must see the folder under this path") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise InputFileError(f"{path}: not a Parquet file ({error})", "check the file") from None


def _batches(file: Any, path: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    try:
        yield from file.iter_batches(batch_size=BLOCK, columns=list(columns))
    except (pa.ArrowInvalid, OSError) as error:
        raise InputFileError(f"{path}: not a whole Parquet file ({error})", "check the file") from None


def _file_digest(path: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with Path(path).open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(inner) or pa.types.is_large_string(inner))


@dataclass(frozen=True)
class Block:
    """Some rows of a part: the number of the first of them in the part, and their texts."""

    first: int
    sources: list[str]
    targets: list[str]
    derivations: list[Any] | None = None
    ids: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sources)

    def dataset(self, task: Mapping[str, Any]) -> Dataset:
        """The rows as a data set under the name of their file; their numbers stand for their ids."""
        from recombine.datasets.files.rows import PlacedRecord, read_derivation

        derivations: list[Any] = [None] * len(self)
        if self.derivations is not None:
            derivations = [
                read_derivation(PlacedRecord(task["path"], "row", number, {"derivation": value}))
                for number, value in enumerate(self.derivations, start=self.first + 1)
            ]
        rows = enumerate(zip(self.sources, self.targets, derivations, strict=True), start=self.first + 1)
        examples = [Example(str(number), *values, {"line": number}) for number, values in rows]
        language = None if task["language"] is None else find_language(task["language"])
        return Dataset.of(task["path"], examples, structures=task["structures"], language=language)


def iter_blocks(task: Mapping[str, Any], *, derivations: bool = False, ids: bool = False) -> Iterator[Block]:
    """The rows of a part, block by block; derivations and ids only where they are asked for."""
    path, names = task["path"], [task["source"], task["target"]]
    with _opened(path) as file:
        more = ["derivation"] if derivations and "derivation" in file.schema_arrow.names else []
        more += ["id"] if ids and task["has_ids"] else []
        first = 0
        for batch in _batches(file, path, list(dict.fromkeys([*names, *more]))):
            sources, targets = (_texts(batch.column(name), path, name, first) for name in names)
            rules = batch.column("derivation").to_pylist() if "derivation" in more else None
            block = Block(first, sources, targets, rules)
            if ids:
                keys = _given_ids(batch.column("id"), path, first) if task["has_ids"] else content_ids(task, block)
                block = replace(block, ids=keys)
            yield block
            first += batch.num_rows


def _texts(column: pa.Array, path: str, name: str, first: int) -> list[str]:
    """The texts of a column, all of which must be there."""
    texts: list[str] = column.to_pylist()
    bad = next((place for place, text in enumerate(texts) if not isinstance(text, str)), None)
    if bad is not None:
        raise RecordError(path, f"row {first + bad + 1}", f"the field {name!r} is not text", "write it as a string")
    return texts


def iter_ids(task: Mapping[str, Any]) -> Iterator[list[str]]:
    """The ids of a part, block by block."""
    if not task["has_ids"]:
        yield from (content_ids(task, block) for block in iter_blocks(task))
        return
    first = 0
    with _opened(task["path"]) as file:
        for batch in _batches(file, task["path"], ["id"]):
            yield _given_ids(batch.column(0), task["path"], first)
            first += batch.num_rows


def _given_ids(column: pa.Array, path: str, first: int) -> list[str]:
    ids = list(map(str, column.to_pylist()))
    if "" in ids:
        where = f"row {first + ids.index('') + 1}"
        raise RecordError(path, where, "the id is neither text nor a whole number", "mend it")
    return ids


def content_ids(task: Mapping[str, Any], block: Block) -> list[str]:
    """The ids of rows by their content, repeats numbered as they are in the whole folder."""
    import numpy as np

    from recombine.records.example import content_id

    ids = [content_id(source, target) for source, target in zip(block.sources, block.targets, strict=True)]
    if task["repeats"] is not None:
        rows, occurrences = task["repeats"]
        low, high = np.searchsorted(rows, [block.first, block.first + len(block)])
        for row, occurrence in zip(rows[low:high].tolist(), occurrences[low:high].tolist(), strict=True):
            ids[row - block.first] += f"#{occurrence}"
    return ids
