"""Paths in study files: from the folder of the file or, where nothing is there, in the data directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.data_directory import data_directory

if TYPE_CHECKING:
    from pathlib import Path


def study_path(folder: Path, path: str) -> Path:
    """A path from the folder of a study file or, where nothing is there, in the data directory."""
    kept = data_directory() / path
    return kept if kept.exists() and not (folder / path).exists() else folder / path
