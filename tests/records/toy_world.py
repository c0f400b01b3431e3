"""A world of a dictionary of facts, for tests; its files end in `.toy.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from recombine.records.world import WorldKind


@dataclass(frozen=True)
class Toy:
    """Facts by name."""

    facts: Mapping[str, str]
    digest: str
    kind: str = "toy"


TOY = WorldKind(
    "toy",
    lambda path, digest: Toy(orjson.loads(Path(path).read_bytes()), digest),
    lambda path: path.name.endswith(".toy.json"),
)


def write_toy(path: Path, **facts: str) -> Path:
    """A file of facts."""
    path.write_bytes(orjson.dumps(facts))
    return path
