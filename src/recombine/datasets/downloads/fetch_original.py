"""Fetches one original: what came of it is kept under a name of our own, and the next attempt goes on from there.

`DIGEST.part` is what has come, `DIGEST.mark` the mark of the version that it is of, and `DIGEST.original` the whole,
once its digest is right. What is of another digest or length is removed, so that the next attempt begins anew.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from recombine.datasets.downloads.mirror import Interrupted
from recombine.errors import DownloadError, OutputFileError
from recombine.files import write_whole
from recombine.max_unpacked import max_unpacked, size_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from recombine.datasets.downloads.mirror import Mirror, Opened
    from recombine.datasets.downloads.sources import Original

WAIT = 0.5
"""Seconds before the second attempt; before each further one twice as many."""
_PIECE = 1 << 18


def fetch_original(
    original: Original, mirror: Mirror, folder: Path, *, retries: int, report: Callable[[int], None]
) -> Path:
    """The path of an original that is whole and has its digest, fetched where it is not there already.

    `report` is told how many bytes are there. A transfer that breaks off is tried again so many times.
    """
    whole = folder / f"{original.digest}.original"
    if whole.is_file() and has_digest(whole, original):
        report(whole.stat().st_size)
        return whole
    part = folder / f"{original.digest}.part"
    for attempt in range(retries + 1):
        try:
            resumed = _fetch_rest(original, mirror, part, report)
            if has_digest(part, original):
                break
            _forget(part)
            if not resumed:
                raise _other_content(original, mirror)
            raise Interrupted(f"{mirror.place(original)} does not go on from what had come")
        except Interrupted as error:
            if attempt == retries:
                raise _given_up(error, attempt + 1) from None
            time.sleep(WAIT * 2**attempt)
    part.replace(whole)
    _mark(part).unlink(missing_ok=True)
    return whole


def _given_up(error: Interrupted, attempts: int) -> DownloadError:
    times = f" ({attempts} attempts)" if attempts > 1 else ""
    remedy = "run the command again, which goes on from there; HTTPS_PROXY names a proxy, --from another mirror"
    return DownloadError(f"{error}{times}", remedy)


def _other_content(original: Original, mirror: Mirror) -> DownloadError:
    wanted = f"sha256 {original.sha256[:12]}…" if original.sha256 else f"git id {original.git_blob[:12]}…"
    return DownloadError(
        f"{mirror.place(original)} has not the content that is pinned ({wanted})", "give another mirror"
    )


def _mark(part: Path) -> Path:
    return part.with_suffix(".mark")


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _mark(part).unlink(missing_ok=True)


def _fetch_rest(original: Original, mirror: Mirror, part: Path, report: Callable[[int], None]) -> bool:
    """Fetch what is missing of a part; whether it went on from what was there."""
    start = part.stat().st_size if part.is_file() else 0
    if original.bytes is not None and start == original.bytes:
        report(start)
        return True
    if original.bytes is not None and start > original.bytes:
        _forget(part)
        start = 0
    mark = _mark(part).read_text(encoding="utf-8") if start and _mark(part).is_file() else ""
    try:
        with mirror.open(original, start=start, mark=mark) as opened:
            _check_length(original, opened, mirror, part)
            _write(original, opened, mirror, part, report)
            return opened.start > 0
    except Interrupted as error:
        if error.restart:
            _forget(part)
        raise


def _check_length(original: Original, opened: Opened, mirror: Mirror, part: Path) -> None:
    if original.bytes is not None and opened.total not in (None, original.bytes):
        _forget(part)
        problem = f"{mirror.place(original)} has {opened.total:,} bytes and not the {original.bytes:,} that are pinned"
        raise DownloadError(problem, "give another mirror")


def _write(original: Original, opened: Opened, mirror: Mirror, part: Path, report: Callable[[int], None]) -> None:
    """Append what comes, up to the length that it must have."""
    place, limit = mirror.place(original), original.bytes if original.bytes is not None else max_unpacked()
    wanted = opened.total if opened.total is not None else original.bytes
    if not opened.start:
        _forget(part)
        if opened.mark:
            write_whole(_mark(part), opened.mark.encode())
    done = opened.start
    while piece := opened.stream.read(_PIECE):
        done += len(piece)
        if done > limit:
            break
        _append(part, piece)
        report(done)
    if done > limit:
        _forget(part)
        raise DownloadError(f"{place} sends more than {size_text(limit)}", "give another mirror")
    if wanted is not None and done < wanted:
        raise Interrupted(f"{place} broke off after {done:,} of {wanted:,} bytes")


def _append(part: Path, piece: bytes) -> None:
    try:
        with part.open("ab") as stream:
            stream.write(piece)
    except OSError as error:
        remedy = "make room there, or set RECOMBINE_DATA to another directory"
        raise OutputFileError(f"{part}: cannot be written ({error.strerror})", remedy) from error


def has_digest(path: Path, original: Original) -> bool:
    """Whether a file has the content that is pinned."""
    if original.bytes is not None and path.stat().st_size != original.bytes:
        return False
    digest = hashlib.sha256() if original.sha256 else hashlib.sha1(usedforsecurity=False)
    if not original.sha256:  # git's own id: SHA-1 of a heading and the content
        digest.update(f"blob {path.stat().st_size}\0".encode())
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest() == original.digest
