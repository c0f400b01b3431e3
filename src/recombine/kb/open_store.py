"""The store at a place: the folder of an index, a folder of pyoxigraph's, a file of triples, or an endpoint's address.

A file is built into an index in the cache of data, once for its content, its form and its profile.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import KnowledgeBaseError, OptionError
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.profiles.profile import Profile

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.endpoint.endpoint_store import EndpointStore
    from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
    from recombine.kb.store import Store

PLAIN = "plain"
_PIECE = 1 << 20


def open_store(
    place: Path | str,
    *,
    profile: Profile | Path | str | None = None,
    digest: str | None = None,
    form: str | None = None,
    joined: str = "keep",
    time_out: float | None = None,
    **endpoint: Any,
) -> Store:
    """The store at a place; `profile` is one of its own for a file or an endpoint, `plain` where none is given.

    `digest` is what data knows the store by. `form` and `joined` are those of a file of triples. `time_out` is the most
    seconds that a query by SPARQL may take. All else is for an endpoint, see `EndpointStore`.
    """
    if is_address(place):
        store: Any = _endpoint(str(place), _profile(profile), time_out, endpoint)
    else:
        if endpoint:
            raise OptionError(
                f"{place}: {sorted(endpoint)[0]} is for an endpoint", "give the address of one, or leave it"
            )
        store = _local(Path(place), profile, form, joined)
        store.time_out = time_out
    if digest is not None:
        store.digest = digest
    return store  # type: ignore[no-any-return]


def is_address(place: Path | str) -> bool:
    """Whether a place is the address of an endpoint.

    >>> is_address("https://query.wikidata.org/sparql"), is_address("facts.ttl")
    (True, False)
    """
    return isinstance(place, str) and place.lower().startswith(("http://", "https://"))


def _endpoint(address: str, profile: Profile, time_out: float | None, options: dict[str, Any]) -> EndpointStore:
    from recombine.kb.endpoint.endpoint_store import TIME_OUT, EndpointStore

    return EndpointStore(address, profile, time_out=TIME_OUT if time_out is None else time_out, **options)


def _profile(profile: Profile | Path | str | None) -> Profile:
    return profile if isinstance(profile, Profile) else find_profile(PLAIN if profile is None else profile)


def _local(
    place: Path, profile: Profile | Path | str | None, form: str | None, joined: str
) -> EmbeddedStore | OxigraphStore:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.embedded.index_folder import is_index

    if is_index(place):
        store = EmbeddedStore.open(place)
        if profile is not None and _profile(profile).base != store.profile.base:
            raise KnowledgeBaseError(
                f"{place}: was built under the profile {store.profile.name!r}, with another base",
                "leave the profile out",
            )
        return store
    if place.is_dir() and (place / "CURRENT").is_file() and any(place.glob("MANIFEST-*")):
        from recombine.kb.oxigraph.oxigraph_store import OxigraphStore

        return OxigraphStore.open(place, _profile(profile))
    if place.is_file():
        return _of_file(place, _profile(profile), form, joined)
    if not place.exists():
        raise KnowledgeBaseError(f"{place}: no such file or folder", "give an index, a file of triples, or an address")
    return EmbeddedStore.open(place)  # says what is wrong with a folder that is no index


def _of_file(path: Path, profile: Profile, form: str | None, joined: str) -> EmbeddedStore:
    """The index of a file in the cache, built where it is not there; without a cache, for the time of the process."""
    from recombine.kb.embedded.cached_index import cached_index
    from recombine.kb.loaders.forms import form_of
    from recombine.kb.loaders.open_triples import open_triples

    known = form_of(path, form)
    said = repr((known, joined, sorted(asdict(profile).items(), key=lambda item: item[0])))
    decided_by = (b"file", _file_digest(path), said.encode())
    return cached_index(
        decided_by, lambda: open_triples(path, form=form, profile=profile, joined=joined), profile=profile
    )


def _file_digest(path: Path) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.digest()
