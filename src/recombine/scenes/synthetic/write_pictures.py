"""A folder of the pictures of scenes, one PNG file each, there whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import OutputFileError
from recombine.kb.embedded.whole_folder import LOCK, writing_folder
from recombine.scenes.synthetic.picture import UNIT, picture_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.scenes.scene import Scene

SUFFIX = ".png"


def write_pictures(scenes: Iterable[Scene], folder: Path | str, *, size: int = UNIT) -> None:
    """Draw scenes as they are into a folder; an older folder of pictures there is replaced."""
    with writing_folder(Path(folder), _check_replaceable) as place:
        for scene in scenes:
            (place / f"{scene.id}{SUFFIX}").write_bytes(picture_bytes(scene, size=size))


def _check_replaceable(path: Path) -> None:
    """Refuse to replace what is no folder of pictures."""
    if not path.exists():
        return
    others = not path.is_dir() or any(each.suffix != SUFFIX and each.name != LOCK for each in path.iterdir())
    if others:
        raise OutputFileError(f"{path}: is there and is no folder of pictures", "name another folder")
