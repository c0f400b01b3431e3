"""Two members of a zip archive, one with the questions and one with the programs, as one table.

Only the members that are named are unpacked, in memory and up to the limit; nothing is written where an archive says.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.files import too_large
from recombine.max_unpacked import max_unpacked

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals

_PIECE = 1 << 20


def paired_members(originals: Originals) -> bytes:
    """Line i of the first member, a tab, and line i of the second."""
    name = originals.name()
    try:
        with zipfile.ZipFile(originals.paths[""]) as archive:
            sources, targets = (_lines(archive, member, name) for member in originals.members)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InputFileError(f"{name}: is no whole zip archive ({error})", "use the published file") from None
    if len(sources) != len(targets):
        members = " and ".join(originals.members)
        problem = f"{members} have {len(sources):,} and {len(targets):,} lines"
        raise InputFileError(f"{name}: {problem}", "use the published file")
    return "".join(f"{source}\t{target}\n" for source, target in zip(sources, targets, strict=True)).encode()


def _lines(archive: zipfile.ZipFile, member: str, name: str) -> list[str]:
    """The lines of one member, which is read piece by piece and given up at the limit."""
    found = [info for info in archive.infolist() if info.filename == member]
    if len(found) != 1 or found[0].is_dir() or found[0].flag_bits & 1:
        raise InputFileError(f"{name}: has no one readable member {member}", "use the published file")
    limit, buffer = max_unpacked(), BytesIO()
    with archive.open(found[0]) as stream:
        while piece := stream.read(_PIECE):
            buffer.write(piece)
            if buffer.tell() > limit:
                raise too_large(f"{name}, {member}", "unpacks to more", limit)
    try:
        text = buffer.getvalue().decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"{name}, {member}: is not UTF-8 text ({error.reason})", "use the published file"
        ) from None
    return text.removesuffix("\n").split("\n") if text else []
