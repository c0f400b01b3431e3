"""Downloads the files of a data set: originals are fetched, checked and converted, and all files put in place."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.datasets.downloads.conversions.known import find_conversion
from recombine.datasets.downloads.fetch_original import fetch_original
from recombine.datasets.downloads.originals import Originals
from recombine.datasets.downloads.present_files import (
    ANOTHER,
    THERE,
    content_digest,
    file_state,
    noted,
    present_path,
    read_notes,
    write_notes,
)
from recombine.errors import DownloadError, OutputFileError
from recombine.files import write_whole
from recombine.progress import bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from recombine.datasets.downloads.mirror import Mirror
    from recombine.datasets.downloads.sources import Original, Source

WRITTEN = "written"


@dataclass(frozen=True)
class FileOutcome:
    """What became of one file: it was `there`, or is `written`."""

    source: Source
    state: str
    fetched: int = 0
    """How many bytes of originals its download took, those that other files share counted once."""


def download_files(
    name: str,
    sources: Sequence[Source],
    mirror: Mirror,
    directory: Path,
    folder: Callable[[], Path],
    *,
    retries: int,
    overwrite: bool = False,
) -> list[FileOutcome]:
    """See to it that the files of a data set are in a directory, all or none; `folder` gives the place to work in."""
    notes = read_notes(directory)
    states = {source.file: file_state(directory, source, notes) for source in sources}
    others = [file for file, state in states.items() if state == ANOTHER]
    if others and not overwrite:
        problem = f"{', '.join(others)} in {directory}: is there with another content than {name} has"
        raise DownloadError(problem, "remove it, or replace it with --overwrite")
    wanted = [source for source in sources if states[source.file] != THERE]
    outcomes = {source.file: FileOutcome(source, THERE) for source in sources}
    if wanted:
        place = folder()
        paths = _fetch(name, _distinct(wanted), mirror, place, retries)
        _put_in_place(wanted, paths, directory, place)
        sizes = {digest: path.stat().st_size for digest, path in paths.items()}
        for source in wanted:
            fetched = sum(sizes.pop(original.digest, 0) for _, original in source.originals)
            outcomes[source.file] = FileOutcome(source, WRITTEN, fetched)
    return [*outcomes.values()]


def _distinct(sources: Iterable[Source]) -> list[Original]:
    originals = (original for source in sources for _, original in source.originals)
    return [*{original.digest: original for original in originals}.values()]


def _fetch(name: str, originals: Sequence[Original], mirror: Mirror, folder: Path, retries: int) -> dict[str, Path]:
    """The originals by digest."""
    total = sum(original.bytes or 0 for original in originals)
    paths: dict[str, Path] = {}
    with bar(f"fetching {name}") as update:
        before = 0

        def report(done: int) -> None:
            if update is not None:
                size = f"{(before + done) / 1e6:,.1f} of {total / 1e6:,.1f} MB" if total else f"{done / 1e6:,.1f} MB"
                update(before + done, total or None, f"{size}, {original.path}")

        for original in originals:
            path = fetch_original(original, mirror, folder, retries=retries, report=report)
            paths[original.digest] = path
            before += path.stat().st_size
    return paths


def _put_in_place(wanted: Sequence[Source], paths: dict[str, Path], directory: Path, folder: Path) -> None:
    """Make all files under other names, and then give them theirs."""
    made: list[tuple[Source, Path, str]] = []
    try:
        for number, source in enumerate(wanted):
            content = _converted(source, paths)
            path = folder / f"{number}-{source.file.rpartition('/')[2]}"
            write_whole(path, content)
            made.append((source, path, content_digest(content)))
        for source, path, _ in made:
            _give_name(path, directory, source.file)
    finally:
        for _, path, _ in made:
            path.unlink(missing_ok=True)
    notes = read_notes(directory)
    new = {source.file: noted(source, digest) for source, _, digest in made if not source.result}
    if new:
        write_notes(directory, {**notes, **new})


def _give_name(path: Path, directory: Path, file: str) -> None:
    target = directory / file
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        other = present_path(directory, file)
        path.replace(target)
        if other is not None and other != target:  # the other of packed and not packed is out of date
            with suppress(OSError):
                other.unlink()
    except OSError as error:
        raise OutputFileError(f"{target}: cannot be written ({error.strerror})", "choose another directory") from error


def _converted(source: Source, paths: dict[str, Path]) -> bytes:
    """The content of a file, when it is the one that is pinned."""
    originals = Originals(
        {role: paths[original.digest] for role, original in source.originals},
        {role: original.address for role, original in source.originals},
        source.members,
        source.sample,
    )
    try:
        content = find_conversion(source.conversion)(originals)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        problem = f"{source.file}: the conversion {source.conversion} cannot read its originals ({error!r})"
        raise DownloadError(problem, "report this; the originals are what is pinned") from error
    if source.result and content_digest(content) != source.result:
        problem = f"{source.file}: the conversion {source.conversion} gives another file than the published one"
        raise DownloadError(problem, "report this; the originals are what is pinned")
    return content
