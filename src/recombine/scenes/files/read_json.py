"""A file of JSON, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError
from recombine.files import read_utf8

if TYPE_CHECKING:
    from pathlib import Path


def read_json(path: Path | str) -> Any:
    """What a file of JSON holds."""
    try:
        return orjson.loads(read_utf8(path))
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{path}: is not JSON ({error})", "give a file of scenes") from error
