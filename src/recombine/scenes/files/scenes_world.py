"""A collection of scenes as the world of a data set: a file of scenes, or a folder of Visual Genome's files.

The digest is that of the file's bytes; of imSitu's frames, which are read with files beside them, it is that of all.
"""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.records.world import WorldKind
from recombine.scenes.files.imsitu import frames_digest
from recombine.scenes.files.read_scenes import read_scenes
from recombine.scenes.files.visual_genome import is_visual_genome_folder
from recombine.scenes.files.write_scenes import ATTRIBUTE_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.scene import Scenes

KIND = "scenes"
_ENDING, _PICTURES = ".scenes.json", ".pictures"
"""How a file of scenes ends that has a folder of pictures beside it, and how that folder does."""
_LOOKED_AT = 1 << 16
_BY_ID = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{')
_LISTED = re.compile(r"\s*\[\s*\{")
_OURS = re.compile(rf'\s*\{{\s*"{ATTRIBUTE_TYPES}"\s*:\s*\{{')
_OBJECTS, _FRAMES, _IMAGE = '"objects"', ('"frames"', '"verb"'), '"image_id"'


def _start(path: Path) -> str:
    """The beginning of a file; nothing where it cannot be read."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            return stream.read(_LOOKED_AT).decode("utf-8", "replace")
    except (OSError, EOFError, zlib.error):
        return ""


def _has_frames(start: str) -> bool:
    return all(word in start for word in _FRAMES) and _OBJECTS not in start


def _recognises(path: Path) -> bool:
    """Whether a folder is of Visual Genome, or the beginning of a file has the shape of one of the forms."""
    if path.is_dir():
        return is_visual_genome_folder(path)
    start = _start(path)
    if _OURS.match(start):
        return True
    if _BY_ID.match(start):
        return _OBJECTS in start or _has_frames(start)
    return _LISTED.match(start) is not None and ((_OBJECTS in start and _IMAGE in start) or _has_frames(start))


def _digests(place: Path | str) -> Sequence[str]:
    """Of frames, the digest of them with the templates and names beside them; else none of its own."""
    path = Path(place)
    return () if path.is_dir() or not _has_frames(_start(path)) else (frames_digest(path),)


@lru_cache(maxsize=2)
def _open(path: Path, digest: str) -> Scenes:
    beside = path.with_name(path.name.removesuffix(_ENDING) + _PICTURES)
    return replace(read_scenes(path, digest=digest), pictures=beside if beside.is_dir() else None)


SCENES = WorldKind(KIND, _open, _recognises, digests=_digests)
