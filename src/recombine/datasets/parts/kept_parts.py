"""The finished parts of a run that is not finished: a folder beside the file that is wanted.

Its name ends in a key that everything which decides the examples makes, so that only the same run goes on with it. One
process at a time holds it. The examples after the last whole part are in memory; a run of one part has no folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.datasets.parts.made_lot import TextRow
from recombine.datasets.parts.part_file import Progress, open_part, part_path, read_progress, write_part
from recombine.errors import InputFileError, OutputFileError
from recombine.files import make_folder
from recombine.progress import note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

_ROWS = 1 << 11
_LOCK = "lock"


def parts_folder(path: Path | str, key: str) -> Path:
    """Where the parts of a file are kept while it is made.

    >>> parts_folder("made/q.jsonl", "0f" * 16).as_posix()
    'made/.q.jsonl.parts-0f0f0f0f0f0f0f0f'
    """
    path = Path(path)
    return path.with_name(f".{path.name}.parts-{key[:16]}")


def other_folders(path: Path | str, key: str) -> list[Path]:
    """The folders that runs with other settings left for the same file."""
    path, mine = Path(path), parts_folder(path, key)
    begin = f".{path.name}.parts-"
    with suppress(OSError):
        return sorted(each for each in path.parent.iterdir() if each.name.startswith(begin) and each != mine)
    return []


class KeptParts:
    """The parts in a folder, in their order, and the examples that are in none yet.

    Without a folder the parts are in one of the system's, for as long as they are used.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder, self._lasts = folder, folder is not None
        self.number = 0
        """How many parts are whole."""
        self.progress = Progress()
        """How far the run was after the last of them."""
        self.rest: list[TextRow] = []
        """The examples after them."""
        self._let_go: weakref.finalize[..., KeptParts] | None = None
        """What ends the hold on the folder, also where nobody has the parts any more."""

    def open(self) -> None:
        """Find the parts that an earlier run left; what is not whole is removed."""
        if self.folder is None or not self.folder.exists():
            return
        self._hold(self.folder)
        while (progress := read_progress(part_path(self.folder, self.number))) is not None:
            self.progress, self.number = progress, self.number + 1
        kept = {_LOCK, *(part_path(self.folder, number).name for number in range(self.number))}
        for each in sorted(self.folder.iterdir()):
            if each.name not in kept:
                note(f"{each}: is no whole part; it is made again")
                each.unlink()

    def add(self, rows: Sequence[TextRow], progress: Progress) -> None:
        """Keep the next part."""
        folder = self._made_folder()
        write_part(part_path(folder, self.number), rows, progress)
        self.progress, self.number = progress, self.number + 1

    def iter_tables(self, columns: Sequence[str] = TextRow._fields) -> Iterator[pa.Table]:
        """Some columns of all examples, a few rows at a time."""
        import pyarrow as pa

        for number in range(self.number):
            yield from self._tables(number, list(columns))
        for start in range(0, len(self.rest), _ROWS):
            rows = self.rest[start : start + _ROWS]
            cells = [pa.array([getattr(row, name) for row in rows], pa.large_string()) for name in columns]
            yield pa.table(cells, list(columns))

    def iter_rows(self) -> Iterator[TextRow]:
        """All examples in order."""
        for number in range(self.number):
            for table in self._tables(number, list(TextRow._fields)):
                yield from map(TextRow, *(table[name].to_pylist() for name in TextRow._fields))
        yield from self.rest

    def said(self) -> str:
        """Where finished parts are kept, and how much is in them; nothing where none are kept."""
        if not self.number or not self._lasts:
            return ""
        parts = "1 finished part" if self.number == 1 else f"{self.number} finished parts"
        return f"{parts} with {self.progress.kept:,} examples kept in {self.folder}"

    def remove(self) -> None:
        """Remove the folder: what it was kept for is done."""
        self.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """Let another process have the folder."""
        if self._let_go is not None:
            self._let_go()
            self._let_go = None

    def _made_folder(self) -> Path:
        if self.folder is None:
            place = tempfile.TemporaryDirectory(prefix="recombine-parts-")
            weakref.finalize(self, place.cleanup)
            self.folder = Path(place.name)
        if self._let_go is None:
            make_folder(self.folder)
            self._hold(self.folder)
            if part_path(self.folder, self.number).exists():
                raise _taken(self.folder)
        return self.folder

    def _hold(self, folder: Path) -> None:
        """Keep other processes out of the folder until it is closed, or this process ends."""
        try:
            lock = os.open(folder / _LOCK, os.O_CREAT | os.O_WRONLY, 0o666)
        except OSError as error:
            raise OutputFileError(f"{folder}: cannot be written ({error.strerror})", "make room there") from error
        self._let_go = weakref.finalize(self, os.close, lock)
        try:
            import fcntl
        except ImportError:  # only some systems have locks of this kind
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise _taken(folder) from None

    def _tables(self, number: int, columns: list[str]) -> Iterator[pa.Table]:
        import pyarrow as pa

        if self.folder is None:
            return
        path = part_path(self.folder, number)
        try:
            with open_part(path) as file:
                for batch in file.iter_batches(batch_size=_ROWS, columns=columns):
                    yield pa.table([batch[name] for name in columns], columns)
        except (OSError, pa.ArrowException) as error:
            said = " ".join(str(error).split())
            raise InputFileError(f"{path}: is damaged ({said})", "remove it, and run the same command again") from None


def _taken(folder: Path) -> OutputFileError:
    return OutputFileError(
        f"{folder}: another process is making the same file", "wait for it, or write to another name"
    )
