"""One finished part: a Parquet file of texts, and in its schema what was counted until its end.

A part is written under another name and then renamed, so that it is whole or not there; its pages have checksums.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.parts.made_lot import TextRow
from recombine.errors import OutputFileError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa

SUFFIX = ".parquet"
_ABOUT = b"recombine"
_ROWS = 1 << 11


@dataclass
class Progress:
    """How far a run is: what goes on from here needs nothing else."""

    lots: int = 0
    """The lots that were made."""
    kept: int = 0
    """The examples that were kept."""
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By kind: what was kept, what answers it has, and what was dropped by reason."""
    fresh: list[int] = field(default_factory=list)
    """How many new examples each of the last lots gave."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        counts = [[*key, count] for key, count in sorted(self.counts.items())]
        return {"lots": self.lots, "kept": self.kept, "counts": counts, "fresh": self.fresh}

    @classmethod
    def of_dict(cls, said: dict[str, Any]) -> Progress:
        """From JSON."""
        counts = Counter({(kind, name): count for kind, name, count in said["counts"]})
        return cls(said["lots"], said["kept"], counts, list(said["fresh"]))


def part_path(folder: Path, number: int) -> Path:
    """Where a part lies.

    >>> from pathlib import Path
    >>> part_path(Path("x"), 3).as_posix()
    'x/part-00003.parquet'
    """
    return folder / f"part-{number:05d}{SUFFIX}"


def write_part(path: Path, rows: Sequence[TextRow], progress: Progress) -> None:
    """Write a part, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(dict.fromkeys(TextRow._fields, pa.large_string()))
    schema = schema.with_metadata({_ABOUT: orjson.dumps(progress.to_dict())})
    temporary = path.with_name(f".{path.name}.writing")
    try:
        with temporary.open("wb") as stream, _writer(pq, stream, schema) as writer:
            for start in range(0, len(rows), _ROWS):
                columns = zip(*rows[start : start + _ROWS], strict=True)
                writer.write_table(pa.table([pa.array(each, pa.large_string()) for each in columns], schema))
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        why = error.strerror or error
        raise OutputFileError(f"{path}: cannot be written ({why})", "make room, or choose another place") from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _writer(pq: Any, stream: Any, schema: pa.Schema) -> Any:
    # Long texts that repeat little within a column, but much within each other: packing pays, a dictionary does not.
    return pq.ParquetWriter(
        stream, schema, compression="zstd", compression_level=1, use_dictionary=False, write_page_checksum=True
    )


def open_part(path: Path) -> Any:
    """The file of a part, whose checksums are looked at as it is read."""
    import pyarrow.parquet as pq

    return pq.ParquetFile(path, page_checksum_verification=True)


def read_progress(path: Path) -> Progress | None:
    """How far the run was after a part; none where the file is no whole part."""
    import pyarrow as pa

    try:
        with open_part(path) as file:
            metadata = file.schema_arrow.metadata or {}
            return Progress.of_dict(orjson.loads(metadata[_ABOUT]))
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError):
        return None
