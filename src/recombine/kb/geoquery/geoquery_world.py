"""GeoQuery's facts as a world: what programs in its language are run over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from recombine.data_directory import data_file, missing_files
from recombine.kb.geoquery.geobase import FILE, RELATIONS, read_geobase
from recombine.kb.geoquery.geography import Geography
from recombine.records.world import WorldKind

KIND = "geoquery"
PUBLISHED = "7ae78ca2c2d3ca933b66ebf3d0aa3bf49cdbb44534e5c013886e9eec65083d90"
"""The digest of `geobase.pl`, as it was published."""
_FACT = re.compile(rf"^\s*(?:{'|'.join(RELATIONS)})\s*\(", re.MULTILINE)
_LOOKED_AT = 1 << 16


@dataclass(frozen=True)
class GeoqueryWorld:
    """The geography that facts make, with their digest."""

    geography: Geography
    digest: str

    @property
    def kind(self) -> str:
        """The name of its kind."""
        return KIND


@lru_cache(maxsize=4)
def _open(path: Path, digest: str) -> GeoqueryWorld:
    return GeoqueryWorld(Geography.of(read_geobase(path)), digest)


def _recognises(path: Path) -> bool:
    """Whether a file is of Prolog and has a fact of a relation of GeoQuery's at the start of a line."""
    if not path.is_file() or Path(path.name.removesuffix(".gz")).suffix != ".pl":
        return False
    if path.suffix == ".gz":
        return True
    with path.open("rb") as stream:
        return _FACT.search(stream.read(_LOOKED_AT).decode("utf-8", "replace")) is not None


def _find(digest: str) -> Path | None:
    """The facts of the data directory, where it is those that are wanted."""
    here = digest == PUBLISHED and not missing_files([FILE])
    return data_file(FILE, "running GeoQuery's programs") if here else None


GEOQUERY = WorldKind(KIND, _open, _recognises, _find)
