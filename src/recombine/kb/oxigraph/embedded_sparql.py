"""SPARQL over the facts of an embedded index: they are loaded once into pyoxigraph, in the cache of data.

The copy is found by the digest of the facts, the base of the names and the version of pyoxigraph. Any number of
processes read it beside each other; one that is damaged is made again. Without a cache it is made in memory.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from recombine.data_cache import content_key, drop_stored_folder, stored_folder
from recombine.errors import KnowledgeBaseError
from recombine.kb.answers.kept_answers import kept_answer
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore, StoreReadError, add_facts, iter_keys
from recombine.kb.oxigraph.oxigraph_terms import import_pyoxigraph
from recombine.kb.store import Table
from recombine.progress import working

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pyarrow as pa

    from recombine.kb.profiles.profile import Profile

Answer = TypeVar("Answer", Table, bool)
_WORTH_KEEPING = 0.25
"""Answers that took as many seconds are kept."""


class Facts(Protocol):
    """What an embedded store has: its facts as a stream of triples, and which they are."""

    time_out: float | None
    """The most seconds that a query may take."""

    @property
    def facts_digest(self) -> str:
        """The digest of the facts."""

    @property
    def profile(self) -> Profile:
        """The profile whose base the names stand under."""

    def iter_triples(self) -> Iterator[pa.RecordBatch]:
        """All facts as batches of keys."""


def select(store: Facts, query: str) -> Table:
    """The rows of a SPARQL SELECT over the facts of a store."""
    return _answered(store, query, OxigraphStore.select)


def ask(store: Facts, query: str) -> bool:
    """The truth of a SPARQL ASK over the facts of a store."""
    return _answered(store, query, OxigraphStore.ask)


def _answered(store: Facts, query: str, ask: Callable[[OxigraphStore, str], Answer]) -> Answer:
    def anew() -> Answer:
        try:
            return ask(sparql_store(store), query)
        except StoreReadError:  # the files of the copy are whole by their sizes, and are not
            forget(store)
            return ask(sparql_store(store), query)

    profile = store.profile
    prefixes = repr(sorted(profile.prefixes.items()))
    asked = (ask.__name__, store.facts_digest, profile.base, prefixes, import_pyoxigraph().__version__)
    return kept_answer(asked, query, anew, prepare=lambda: sparql_store(store), if_slower=_WORTH_KEEPING)


def sparql_store(store: Facts) -> OxigraphStore:
    """The facts of a store in pyoxigraph's, opened once in a process."""
    copy = _OPENED.get(_key(store))
    if copy is None:
        _OPENED.clear()  # one knowledge base at a time, so that memory is bounded
        copy = _OPENED[_key(store)] = _opened(store)
    return OxigraphStore(copy, store.profile, digest=store.facts_digest, time_out=store.time_out)


_OPENED: dict[str, object] = {}


def forget(store: Facts) -> None:
    """Remove the copy of a store's facts."""
    _OPENED.pop(_key(store), None)
    drop_stored_folder(_key(store))


@lru_cache(maxsize=64)
def _key_of(digest: str, base: str) -> str:
    version = import_pyoxigraph().__version__
    return content_key([b"oxigraph", version.encode(), digest.encode(), base.encode()])


def _key(store: Facts) -> str:
    return _key_of(store.facts_digest, store.profile.base)


def _opened(store: Facts) -> object:
    pyoxigraph = import_pyoxigraph()

    def make(folder: Path) -> None:
        try:
            with working("loading the facts for SPARQL"):
                made = pyoxigraph.Store(str(folder / "store"))
                add_facts(made, iter_keys(store.iter_triples()), store.profile)
                made.optimize()
                made.flush()
                del made  # closes its files
        except OSError as error:
            raise KnowledgeBaseError(
                f"{folder.parent}: the facts cannot be loaded for SPARQL ({' '.join(str(error).split())})",
                "make room there, or give --no-cache to load them in memory",
            ) from error

    for _ in range(2):
        folder = stored_folder(_key(store), make)
        if folder is None:
            break
        with suppress(OSError, RuntimeError):  # damage is either
            return pyoxigraph.Store.read_only(str(folder / "store"))
        drop_stored_folder(_key(store))
    else:
        raise KnowledgeBaseError("the copy of the facts for SPARQL cannot be opened", "try --no-cache")
    made = pyoxigraph.Store()
    with working("loading the facts for SPARQL"):
        add_facts(made, iter_keys(store.iter_triples()), store.profile)
    return made
