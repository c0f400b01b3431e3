"""The ids of a packaged list."""

from __future__ import annotations

from importlib.resources import files


def read_sample(name: str) -> list[str]:
    """The ids in order; what begins with `#` is a comment.

    >>> len(read_sample("grailqa_items"))
    600
    """
    text = files("recombine.datasets.downloads.samples").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return [word for line in text.splitlines() if not line.startswith("#") for word in line.split()]
