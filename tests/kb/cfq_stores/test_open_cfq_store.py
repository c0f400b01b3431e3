"""The place of a knowledge base for questions, and the store that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import KnowledgeBaseError, OptionError
from recombine.kb.cfq_stores.open_cfq_store import open_cfq_store
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.film_world.film_world import film_world_store
from recombine.kb.term import Term

BASE = "http://rdf.freebase.com/ns/"
FACTS = f"<{BASE}m.a> <{BASE}film.director.film> <{BASE}m.b> .\n"


def test_no_place_is_the_made_up_world() -> None:
    store = open_cfq_store(world_size=5_000, world_seed=3)
    assert store.digest == film_world_store(5_000, seed=3).digest


def test_a_file_is_read_under_the_names_of_freebase(tmp_path: Path) -> None:
    (tmp_path / "facts.nt").write_text(FACTS)
    store = open_cfq_store(tmp_path / "facts.nt")
    assert store.profile.name == "freebase"
    assert store.neighbours(Term.name("m.a"), Term.name("film.director.film")) == [Term.name("m.b")]
    assert open_cfq_store(tmp_path / "facts.nt", profile="plain").profile.name == "plain"


def test_an_index_keeps_its_profile(tmp_path: Path) -> None:
    made = film_world_store(5_000)
    assert isinstance(made, EmbeddedStore)
    assert open_cfq_store(made.folder.path).digest == made.digest


def test_an_address_is_an_endpoint() -> None:
    store = open_cfq_store("http://127.0.0.1:9/sparql", time_out=3.0)
    assert isinstance(store, EndpointStore)
    assert store.profile.name == "freebase"


def test_a_size_is_for_the_made_up_world_alone(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="give one of the two"):
        open_cfq_store(tmp_path / "facts.nt", world_size=5_000)


def test_a_place_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="no such file or folder"):
        open_cfq_store(tmp_path / "none.nt")
