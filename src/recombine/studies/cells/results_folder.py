"""A folder of results: the names that are ours in it, the marker that says so, and what a kill left there.

Nothing but files of our own names is ever removed. A folder that holds anything else is used only where the marker is
in it, so that `--results .` in a folder of somebody's work is refused before anything is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import orjson

from recombine.errors import InputFileError, OutputFileError
from recombine.files import read_bytes, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MARKER = "recombine-results.json"
FORM = "recombine-results/1"
DATA = "recombine-data.json"
"""What generated data comes out as; see `data_facts`."""
FOLDERS = ("splits", "timings", "work")
_KEY = r"[0-9a-f]{32}"
_OF_STACK = r"(?:\.stack|[ab]*\.halved|[ab]*(?:\.before)?\.safetensors|[ab]*\.step|\.\d+\.safetensors|\.\d+\.step)"
_OWN = {
    "": rf"{_KEY}\.json|{_KEY}\.jsonl\.gz|{re.escape(MARKER)}|{re.escape(DATA)}",
    "splits": rf"{_KEY}\.json(?:\.gz)?",
    "timings": rf"{_KEY}\.json",
    "work": rf"{_KEY}{_OF_STACK}",
}
_RESULT = re.compile(rf"{_KEY}\.json")
_PLAIN = {folder: re.compile(names) for folder, names in _OWN.items()}
# As `files.write_whole` names them, and `models.seq2seq.checkpoint`, which ends them with the number of its process.
_TEMPORARY = {folder: re.compile(rf"\.(?:{names})\.(?:[a-z0-9_]{{8}}|\d+)") for folder, names in _OWN.items()}


def is_record_name(name: str) -> bool:
    """Whether a file of this name is the record of a cell.

    >>> is_record_name("0120487e81d032d12e98ba942541fe7a.json"), is_record_name("notes.json")
    (True, False)
    """
    return _RESULT.fullmatch(name) is not None


def claim_folder(results: Path, study: str) -> None:
    """Make a folder of results with its marker; one that holds what is not ours, and no marker, is refused."""
    check_folder(results)
    try:
        results.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFileError(f"{results}: cannot be made ({error.strerror})", "choose another place") from error
    if not (results / MARKER).exists():
        content = {"form": FORM, "study": study, "holds": "results of `recombine study`; see docs/studies.md"}
        write_whole(results / MARKER, orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")


def check_folder(results: Path) -> None:
    """Refuse a place that is not a folder of results and cannot become one without mixing with what is there."""
    if results.exists() and not results.is_dir():
        raise OutputFileError(f"{results}: is a file", "name a folder for results")
    marker = results / MARKER
    if marker.exists():
        _check_marker(marker)
        return
    others = sorted(_others(results)) if results.is_dir() else []
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise OutputFileError(
            f"{results}: is no folder of results ({MARKER} is not in it) and holds other files: {others[0]}{more}",
            "name an empty or a new folder with --results",
        )


def _check_marker(marker: Path) -> None:
    try:
        content = orjson.loads(read_bytes(marker))
    except orjson.JSONDecodeError:
        content = None
    if not isinstance(content, dict) or content.get("form") != FORM:
        raise InputFileError(f"{marker}: does not say {FORM}", "name another folder with --results, or delete it")


def _others(results: Path) -> Iterator[str]:
    """The paths in a folder, and in those of its folders that would be ours, that we cannot have written."""
    for folder in ("", *FOLDERS):
        place = results / folder
        for path in place.iterdir() if place.is_dir() else ():
            inner = folder == "" and path.name in FOLDERS and path.is_dir()
            lock = folder == "work" and path.name == "lock"
            if not (inner or lock or _is_own(path, folder)):
                yield str(path.relative_to(results))


def _is_own(path: Path, folder: str) -> bool:
    named = _PLAIN[folder].fullmatch(path.name) or _TEMPORARY[folder].fullmatch(path.name)
    return named is not None and path.is_file()


# -- what a run leaves --------------------------------------------------------------------------------------------


def clear_stack(work: Path, name: str) -> list[str]:
    """Remove what a stack left; its list goes first, so that a kill here leaves nothing half begun."""
    (work / f"{name}.stack").unlink(missing_ok=True)
    return [_removed(path) for path in _files_of_stacks(work) if path.name[: len(name)] == name]


def sweep(results: Path) -> list[str]:
    """Remove what a kill left, and say what: temporary files, and checkpoints of stacks that are done."""
    removed = []
    for folder in ("", *FOLDERS):
        place = results / folder
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            if _TEMPORARY[folder].fullmatch(path.name) and path.is_file():
                removed.append(_removed(path))
    work = results / "work"
    begun = {path.name.removesuffix(".stack") for path in iter_stacks(work)}
    removed += [_removed(path) for path in _files_of_stacks(work) if path.name[:32] not in begun]
    return removed


def iter_stacks(work: Path) -> Iterator[Path]:
    """The lists of stacks that were begun."""
    return (path for path in _files_of_stacks(work) if path.name.endswith(".stack"))


def _files_of_stacks(work: Path) -> list[Path]:
    return [path for path in sorted(work.iterdir()) if _PLAIN["work"].fullmatch(path.name) and path.is_file()]


def _removed(path: Path) -> str:
    path.unlink(missing_ok=True)
    return f"{path.parent.name}/{path.name}" if path.parent.name in FOLDERS else path.name
