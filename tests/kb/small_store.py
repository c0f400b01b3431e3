"""Small stores of facts written in a test."""

from __future__ import annotations

from pathlib import Path

from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
from recombine.kb.profiles.find_profile import find_profile


def turtle_store(folder: Path, profile: str, text: str) -> EmbeddedStore:
    """An index of some Turtle under a profile, whose prefixes it has."""
    known = find_profile(profile)
    prefixes = "".join(f"@prefix {prefix}: <{stem}> .\n" for prefix, stem in known.prefixes.items())
    path = folder / "facts.ttl"
    path.write_text(f"{prefixes}@prefix : <{known.base}> .\n{text}")
    build_index(open_triples(path, profile=known), folder / "index", profile=known)
    return EmbeddedStore.open(folder / "index")


def as_oxigraph(store: EmbeddedStore) -> OxigraphStore:
    """The same facts in pyoxigraph."""
    return OxigraphStore.of_batches(store.iter_triples(), store.profile)
