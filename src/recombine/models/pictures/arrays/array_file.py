"""Named arrays in a compressed .npz file, written whole or not at all; one that is damaged is refused. No pickle."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError
from recombine.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


def write_arrays(path: Path | str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays by name."""
    stream = BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    write_whole(path, stream.getvalue())


def read_arrays(path: Path | str) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name."""
    path = Path(path)
    if not path.is_file():
        raise InputFileError(f"{path}: no such file of arrays", "export the study again")
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        why = " ".join(str(error).split())
        raise InputFileError(f"{path}: is no whole file of arrays ({why})", "export the study again") from error


def arrays_digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """A digest of arrays with their names, types and shapes."""
    made = hashlib.blake2b(digest_size=16)
    for name, array in sorted(arrays.items()):
        made.update(f"{name} {array.dtype} {array.shape}\n".encode())
        made.update(np.ascontiguousarray(array).tobytes())
    return made.hexdigest()
