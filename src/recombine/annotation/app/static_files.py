"""The style and the script, read once; their addresses hold a hash, so that browsers may keep them for good."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


@dataclass(frozen=True)
class StaticFile:
    """One file: its address, what is sent, and as what."""

    url: str
    body: bytes
    kind: str


def read_static() -> dict[str, StaticFile]:
    """The files by their names.

    >>> sorted(read_static())
    ['app.css', 'app.js']
    """
    return {path.name: _read(path) for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS}


def _read(path: Path) -> StaticFile:
    body = path.read_bytes()
    digest = hashlib.sha256(body).hexdigest()[:12]
    return StaticFile(f"/static/{digest}/{path.name}", body, KINDS[path.suffix])
