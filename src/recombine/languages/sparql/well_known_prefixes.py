"""The prefixes that a query may use without declaring them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def well_known_prefixes() -> Mapping[str, str]:
    """Each prefix with the IRI that it stands for.

    >>> well_known_prefixes()["wdt"]
    'http://www.wikidata.org/prop/direct/'
    """
    text = (files("recombine.languages.sparql") / "well_known_prefixes.toml").read_text(encoding="utf-8")
    return MappingProxyType({name: iri for group in tomllib.loads(text).values() for name, iri in group.items()})
