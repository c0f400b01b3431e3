"""The made-up worlds by their kinds: how the facts of each are made, and its store."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import UnknownNameError

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.made_up.fact_columns import FactColumns

FILMS, DOMAINS = "films", "domains"


class _Made(NamedTuple):
    """Where a world is made: its module, and the functions of it that give its facts and its store."""

    module: str
    facts: str
    store: str


_WORLDS = {
    FILMS: _Made("recombine.kb.film_world.film_world", "make_film_world", "film_world_store"),
    DOMAINS: _Made("recombine.kb.many_domains.many_domains", "make_many_domains", "many_domains_store"),
}
KINDS = tuple(_WORLDS)


def world_facts(kind: str, size: int | None = None, *, seed: int = 0) -> FactColumns:
    """The facts of the world of a kind, of about so many facts.

    >>> 11_000 < world_facts("domains", 12_000, seed=1).count < 13_000
    True
    """
    made = _made(kind)
    facts: FactColumns = getattr(_module(made), made.facts)(size, seed=seed)
    return facts


def world_store(kind: str, size: int | None = None, *, seed: int = 0) -> EmbeddedStore:
    """The store of the world of a kind, from the cache of data or made now."""
    made = _made(kind)
    store: EmbeddedStore = getattr(_module(made), made.store)(size, seed=seed)
    return store


def world_profile(kind: str) -> str:
    """The name of the profile of the world of a kind."""
    return str(_module(_made(kind)).PROFILE)


def _made(kind: str) -> _Made:
    if kind not in _WORLDS:
        raise UnknownNameError("kind of world", kind, KINDS)
    return _WORLDS[kind]


def _module(made: _Made) -> Any:
    return import_module(made.module)
