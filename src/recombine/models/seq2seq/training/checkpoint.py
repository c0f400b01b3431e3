"""Checkpoints in the safetensors format, written whole or not at all.

The format is a length, a JSON header with the name, type, shape and place of each tensor, and the numbers. It is
written and read here with torch and numpy alone; the tests read it with the library of that name too.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from recombine.errors import InputFileError, OutputFileError
from recombine.files import check_file, check_writable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor

_NAMES = {
    torch.float16: "F16",
    torch.float32: "F32",
    torch.float64: "F64",
    torch.int64: "I64",
    torch.int32: "I32",
    torch.bool: "BOOL",
}
_TYPES = {
    "F16": np.float16,
    "F32": np.float32,
    "F64": np.float64,
    "I64": np.int64,
    "I32": np.int32,
    "BOOL": np.bool_,
}


def save_checkpoint(path: Path | str, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> None:
    """Write tensors to a file."""
    path = check_writable(path)
    header: dict[str, Any] = {"__metadata__": dict(metadata or {})}
    end = 0
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {
            "dtype": _NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [end, end + size],
        }
        end += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as stream:
            stream.write(len(text).to_bytes(8, "little") + text)
            for tensor in tensors.values():
                stream.write(tensor.detach().cpu().contiguous().numpy().reshape(-1).view(np.uint8).data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise OutputFileError(f"{path}: cannot be written ({error.strerror})", "choose another place") from error
    finally:
        temporary.unlink(missing_ok=True)


def load_checkpoint(path: Path | str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and metadata of a file."""
    path = check_file(path)
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8:start])
        metadata = header.pop("__metadata__", {})
        tensors = {}
        for name, entry in header.items():
            low, high = entry["data_offsets"]
            array: np.ndarray[Any, Any] = np.frombuffer(data[start + low : start + high], _TYPES[entry["dtype"]])
            tensors[name] = torch.from_numpy(array.reshape(entry["shape"]).copy())
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{path}: not a whole checkpoint ({error})", "train again from the start") from error
    return tensors, metadata
