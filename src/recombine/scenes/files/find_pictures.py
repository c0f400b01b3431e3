"""The pictures of scenes in a folder of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.scenes.scene import Scene

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


def find_pictures(scenes: Iterable[Scene], folder: Path | str) -> dict[str, Path]:
    """The picture of each scene, named after its id; the first that is missing is an error."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputFileError(f"{folder}: there is no such folder of pictures", "name the folder")
    return {scene.id: _picture(scene, folder) for scene in scenes}


def _picture(scene: Scene, folder: Path) -> Path:
    named = [scene.id] if scene.id.lower().endswith(SUFFIXES) else [f"{scene.id}{suffix}" for suffix in SUFFIXES]
    for name in named:
        if (folder / name).is_file():
            return folder / name
    listed = named[0] if len(named) == 1 else f"{named[0]} (nor one that ends in {', '.join(SUFFIXES[1:])})"
    raise InputFileError(f"{folder}: scene {scene.id} has no picture {listed}", "add it, or take the scene out")
