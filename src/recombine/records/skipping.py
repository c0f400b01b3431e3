"""Whether records that cannot be read are left out, and what was: asked for once, and heard by whoever reads.

Every verb that takes `--source` takes `--skip-unreadable` and `--unreadable FILE`. A split remembers that its data was
read so. The list of what was left out is written where it was asked for on the command line or from Python.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.files import check_writable
from recombine.progress import note
from recombine.records.unreadable import check_list_writable, write_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.records.unreadable import Unreadable

SUFFIX = ".unreadable.jsonl"


@dataclass(frozen=True)
class Skipping:
    """What was asked for, and what was left out so far."""

    wanted: bool = False
    listed: bool = False
    """Whether the list is written although no file is named: as NAME.unreadable.jsonl in the current folder."""
    file: str | None = None
    found: dict[str, Unreadable] = field(default_factory=dict)
    """What was left out, by the data that was read."""
    written: list[str] = field(default_factory=list)
    """The list that was written, where one was."""


_ASKED: ContextVar[Skipping | None] = ContextVar("skipping", default=None)


def skips() -> bool:
    """Whether records that cannot be read are left out."""
    asked = _ASKED.get()
    return asked is not None and asked.wanted


@contextmanager
def skipping(wanted: bool = False, *, listed: bool = False, file: Path | str | None = None) -> Iterator[None]:
    """Leave out what cannot be read while the block runs, where it is wanted; what was asked for before it stands."""
    before = _ASKED.get() or Skipping()
    if file is not None:
        check_writable(file)
    now = replace(
        before,
        wanted=before.wanted or wanted or file is not None,
        listed=before.listed or listed,
        file=before.file if file is None else str(file),
    )
    token = _ASKED.set(now)
    try:
        yield
    finally:
        _ASKED.reset(token)


@contextmanager
def nothing_asked() -> Iterator[None]:
    """Forget what was asked for before, while the block runs: a command begins."""
    token = _ASKED.set(Skipping())
    try:
        yield
    finally:
        _ASKED.reset(token)


def ask(*, wanted: bool = False, file: str | None = None) -> None:
    """What the command line asks for, until its end."""
    now = _ASKED.get() or Skipping()
    if file is not None:
        check_writable(file)
    _ASKED.set(replace(now, wanted=now.wanted or wanted or file is not None, listed=True, file=file or now.file))


def left_out(unreadable: Unreadable) -> None:
    """Say what was left out of data, and write the list of it where that is wanted."""
    asked = _ASKED.get() or Skipping()
    asked.found[unreadable.data] = unreadable
    total = sum(len(each.records) for each in asked.found.values())
    file = asked.file
    if file is None and asked.listed and total:
        file = Path(Path(unreadable.data).name.removesuffix(".gz")).stem + SUFFIX
        check_list_writable(Path(file))
    if file is not None:
        write_list(Path(file), asked.found.values())
        asked.written[:] = [file]
    if unreadable.records:
        note(f"{unreadable}; " + ("--unreadable FILE lists them" if file is None else f"listed in {file}"))


def told() -> dict[str, Any] | None:
    """What was left out of all data, for `--json`; nothing where nothing was to be."""
    asked = _ASKED.get()
    if asked is None or not asked.found:
        return None
    counts: dict[str, int] = {}
    for each in asked.found.values():
        for reason, count in each.counts.items():
            counts[reason] = counts.get(reason, 0) + count
    return {
        "records": sum(each.read for each in asked.found.values()),
        "left_out": sum(counts.values()),
        "reasons": dict(sorted(counts.items())),
        "file": asked.written[0] if asked.written else None,
    }
