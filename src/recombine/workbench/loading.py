"""What is said while data is loaded."""

from __future__ import annotations

from pathlib import Path


def loading(data: object) -> str:
    """The data by its name or path, where it has one.

    >>> loading("scan"), loading([("jump", "JUMP")])
    ('loading scan', 'loading the data')
    """
    return f"loading {data if isinstance(data, str | Path) else 'the data'}"
