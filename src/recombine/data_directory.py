"""Where public data lies on this machine: the directory named by `RECOMBINE_DATA`, else the user's cache.

A file may be there gzipped or not: `cogs/dev.tsv` serves where `cogs/dev.tsv.gz` is wanted, and the other way round.
Where files are missing, the error names the command that fetches them: `datasets/sources.toml` says which can be.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import MissingDataError

if TYPE_CHECKING:
    from collections.abc import Iterable


def data_directory() -> Path:
    """The data directory; it need not exist."""
    named = os.environ.get("RECOMBINE_DATA")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "recombine"


def published_splits(folder: str) -> dict[str, Path]:
    """The published splits of a data set that are on this machine, by name."""
    return {path.stem: path for path in sorted((data_directory() / folder / "splits").glob("*.json"))}


def _find(relative: str) -> Path | None:
    other = relative.removesuffix(".gz") if relative.endswith(".gz") else f"{relative}.gz"
    return next((path for path in (data_directory() / relative, data_directory() / other) if path.is_file()), None)


def missing_files(relatives: Iterable[str]) -> list[str]:
    """The files among these that are not in the data directory."""
    return [relative for relative in relatives if _find(relative) is None]


def data_files(relatives: Iterable[str], wanted_for: str) -> list[Path]:
    """Files of the data directory; where any are missing, the error names them all and says where they belong."""
    wanted = list(relatives)
    missing = missing_files(wanted)
    if missing:
        what, those = ("file", "which is") if len(missing) == 1 else ("files", "which are")
        raise MissingDataError(
            f"{wanted_for} needs the {what} {', '.join(missing)}, {those} not in {data_directory()}",
            remedy_for_missing(missing, wanted_for),
        )
    return [path for relative in wanted if (path := _find(relative)) is not None]


def remedy_for_missing(files: Iterable[str], wanted_for: str = "") -> str:
    """How to come by files of the data directory; `wanted_for` is the data set that they are for, where it is one.

    >>> remedy_for_missing(["atis/atis.jsonl.gz"])
    'get it with `recombine download atis`, or set RECOMBINE_DATA to the directory that holds it'
    """
    import tomllib

    wanted = list(files)
    it = "it" if len(wanted) == 1 else "them"
    table = tomllib.loads((Path(__file__).parent / "datasets" / "sources.toml").read_text(encoding="utf-8"))
    names_of = {row["file"].removesuffix(".gz"): row["names"] for row in table["file"]}
    found = [names_of.get(file.removesuffix(".gz"), []) for file in wanted]
    whole = all(wanted_for in names for names in found)
    names = [wanted_for] if whole else [*dict.fromkeys(names[0] for names in found if names)]
    how = f"get {it} with `recombine download {' '.join(names)}`" if all(found) else f"put {it} there"
    return f"{how}, or set RECOMBINE_DATA to the directory that holds {it}"


def data_file(relative: str, wanted_for: str) -> Path:
    """One file of the data directory."""
    return data_files([relative], wanted_for)[0]
