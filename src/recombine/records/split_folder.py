"""A split of a folder of Parquet parts, as a folder: `split.json`, and for each part of the data its ids with the part
of the split that each is of, or nothing.

Ten million ids as JSON are hundreds of megabytes that must be held whole; here a reader can go part by part, beside the
data. The order of the ids is that of the data, as in the splits that `split` makes, and none is named twice.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OutputFileError, SplitError
from recombine.files import read_bytes, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FORM = "recombine-split-folder/1"
HEAD = "split.json"
_KEYS = ("data", "data_hash", "signature", "parts", "files")


def check_split_folder_writable(path: Path | str) -> Path:
    """The path, when a folder can be made there."""
    path = Path(path)
    if path.exists():
        raise OutputFileError(f"{path}: is there already", "remove it, or choose another name")
    if not path.parent.is_dir():
        raise OutputFileError(f"{path}: the directory {path.parent} does not exist", "make it first")
    return path


def write_split_folder(
    path: Path | str, head: Mapping[str, Any], rows: Iterable[tuple[Sequence[str], Sequence[str | None]]]
) -> None:
    """Write the folder whole or not at all; `rows` are for each part of the data its ids and the part of each."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = check_split_folder_writable(path)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        files = []
        for number, (ids, parts) in enumerate(rows):
            file = f"part-{number:05d}.parquet"
            columns = {"id": pa.array(ids, pa.string()), "part": pa.array(parts, pa.string())}
            pq.write_table(pa.table(columns), temporary / file, compression="zstd")
            files.append({"file": file, "rows": len(ids)})
        record = {"form": FORM, **head, "files": files}
        write_whole(
            temporary / HEAD, orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n"
        )
        temporary.chmod(0o755)
        temporary.replace(path)
    except OSError as error:
        shutil.rmtree(temporary, ignore_errors=True)
        raise OutputFileError(f"{path}: cannot be written ({error.strerror})", "choose another place") from error
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def read_split_head(path: Path | str) -> dict[str, Any]:
    """What `split.json` of a folder says; its parts are their sizes."""
    path = Path(path)
    if not (path / HEAD).exists():
        raise SplitError(f"{path}: is a directory without {HEAD}, so no split", "name a split file")
    try:
        record = orjson.loads(read_bytes(path / HEAD))
    except orjson.JSONDecodeError as error:
        raise SplitError(f"{path / HEAD}: broken JSON ({error.msg})", "write the split again") from error
    if not isinstance(record, dict) or record.get("form") != FORM:
        raise SplitError(f"{path / HEAD}: is not the head of a split folder", f"its form should be {FORM}")
    missing = next((key for key in _KEYS if key not in record), None)
    if missing is not None:
        raise SplitError(f"{path / HEAD}: the key {missing!r} is missing", "write the split again")
    return record


def read_split_part(path: Path | str) -> tuple[list[str], list[str | None]]:
    """The ids of one part of the data, and the part of the split that each is of."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(str(path), columns=["id", "part"])
    except (pa.ArrowInvalid, OSError) as error:
        raise SplitError(f"{path}: not a part of a split ({' '.join(str(error).split())})", "write it again") from None
    return table["id"].to_pylist(), table["part"].to_pylist()


def read_split_folder(path: Path | str, form: str) -> dict[str, Any]:
    """The folder as a split file of our own form says it: the ids of each part, whole."""
    record = read_split_head(path)
    parts: dict[str, list[str]] = {name: [] for name in record["parts"]}
    for each in record["files"]:
        for key, part in zip(*read_split_part(Path(path) / each["file"]), strict=True):
            if part is not None:
                parts.setdefault(part, []).append(key)
    sizes = {name: len(ids) for name, ids in parts.items()}
    if sizes != record["parts"]:
        raise SplitError(f"{path}: its parts are {sizes}, not {record['parts']} as {HEAD} says", "write it again")
    return {**{key: value for key, value in record.items() if key != "files"}, "form": form, "parts": parts}
