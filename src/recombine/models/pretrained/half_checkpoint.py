"""A copy of a checkpoint with its weights in half precision, to be carried to another machine.

It is read and written with numpy alone. Weights that half precision has no room for are refused; a model that is tuned
is read back in single precision.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError
from recombine.files import make_folder, write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS = "*.safetensors"
_FLOATS: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8")}
_TEXTS = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "tokenizer.model",
)


def write_half_checkpoint(source: Path | str, target: Path | str) -> int:
    """Copy what a model is loaded from, its floating weights in half precision; gives the bytes of the copy."""
    source, target = Path(source), Path(target)
    weights = sorted(source.glob(WEIGHTS))
    if not weights or not (source / "config.json").is_file():
        problem = f"{source}: has no {WEIGHTS}" if not weights else f"{source}: has no config.json"
        raise InputFileError(problem, "download the whole checkpoint into the directory")
    make_folder(target)
    for path in weights:
        write_whole(target / path.name, halved(path))
    for index in sorted(source.glob(f"{WEIGHTS}.index.json")):
        shutil.copyfile(index, target / index.name)
    for name in _TEXTS:
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)
    return sum(path.stat().st_size for path in target.iterdir())


def halved(path: Path) -> bytes:
    """The bytes of a safetensors file with its tensors of single and double precision in half."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8:start])
        metadata = {"__metadata__": header.pop("__metadata__")} if "__metadata__" in header else {}
        parts, made, end = [], dict[str, Any](metadata), 0
        for name, entry in sorted(header.items(), key=lambda pair: pair[1]["data_offsets"]):
            kind, raw = _halved(path, name, entry, data[start:])
            made[name] = {"dtype": kind, "shape": entry["shape"], "data_offsets": [end, end + len(raw)]}
            parts.append(raw)
            end += len(raw)
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{path}: is no whole file of safetensors ({error})", "download it again") from error
    text = json.dumps(made, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def _halved(path: Path, name: str, entry: dict[str, Any], data: bytes) -> tuple[str, bytes]:
    """The type and bytes of a tensor."""
    low, high = entry["data_offsets"]
    raw, kind = data[low:high], entry["dtype"]
    if len(raw) != high - low:
        raise ValueError(f"{name} is cut")
    if kind not in _FLOATS:
        return kind, raw
    values: NDArray[Any] = np.frombuffer(raw, _FLOATS[kind])
    if values.size != _size(entry["shape"]):
        raise ValueError(f"{name} has not the numbers of its shape")
    with np.errstate(over="ignore"):
        half = values.astype("<f2")
    if np.any(np.isinf(half) & np.isfinite(values)):
        raise InputFileError(f"{path}: {name} has weights beyond half precision", "carry the checkpoint as it is")
    return "F16", half.tobytes()


def _size(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=np.int64))
