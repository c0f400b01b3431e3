"""Pictures of a campaign, read from its folder and from nowhere else.

A browser asks for "picture 2 of my item" and never names a file. What an item names must lie under the folder, with
no `..` and no link on the way, and must begin like a PNG, JPEG, WebP or GIF: an SVG can hold scripts and is no picture
here, whatever its name says.
"""

from __future__ import annotations

import os
import stat
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 20 * 2**20
KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


class NoPictureError(Exception):
    """A name that leads to no picture in the campaign's folder, and why."""


def read_image(folder: Path, name: str) -> tuple[bytes, str]:
    """A picture's bytes and their kind; `NoPictureError` where the name leads elsewhere or to something else."""
    data = _read_inside(folder, name)
    return data, image_kind(data)


def image_kind(data: bytes) -> str:
    """The kind that the first bytes say.

    >>> image_kind(bytes([137]) + b"PNG" + bytes([13, 10, 26, 10]))
    'image/png'
    """
    for start, kind in KINDS:
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    raise NoPictureError("it is not a PNG, JPEG, WebP or GIF")


def _read_inside(folder: Path, name: str) -> bytes:
    parts = PurePosixPath(name).parts
    if not parts or any(part in ("..", "/") or "\0" in part or "\\" in part for part in parts):
        raise NoPictureError("its name leads out of the folder")
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            descriptor = _step(descriptor, part, os.O_DIRECTORY)
        descriptor = _step(descriptor, parts[-1], os.O_NONBLOCK)
        return _whole_file(descriptor)
    finally:
        os.close(descriptor)


def _step(descriptor: int, part: str, flags: int) -> int:
    """One step down; a link anywhere on the way is refused by the system itself."""
    try:
        below = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | flags, dir_fd=descriptor)
    except OSError as error:
        raise NoPictureError("there is no such file, or it is a link") from error
    os.close(descriptor)
    return below


def _whole_file(descriptor: int) -> bytes:
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):
        raise NoPictureError("it is no file")
    if about.st_size > MOST_BYTES:
        raise NoPictureError(f"it has more than {MOST_BYTES:,} bytes")
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read(MOST_BYTES)
