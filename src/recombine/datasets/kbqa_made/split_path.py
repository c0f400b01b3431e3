"""Where the split of generated questions lies."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".split.json"


def split_path(path: Path | str) -> Path:
    """The file of the split beside that of the questions.

    >>> split_path("made/q.jsonl.gz").as_posix()
    'made/q.split.json'
    """
    path = Path(path)
    return path.with_name(Path(path.name.removesuffix(".gz")).stem + SUFFIX)
