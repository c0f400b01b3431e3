"""A store at a place: an index, a file of triples that is built once, a folder of pyoxigraph's, or an endpoint."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from broken_endpoint import endpoint
from random_facts import PROFILE, batches_of, random_facts

from recombine.data_cache import clear_cache, stored_files
from recombine.errors import InputWarning, KnowledgeBaseError, OptionError, RecombineError
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.open_store import open_store
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore, add_facts
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term

FILMS = "Jaws\tdirected_by\tSpielberg\n[REC]\tdirected_by\tBalagueró\n"
JAWS = Term.name("Jaws")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def films(tmp_path: Path) -> Path:
    """A table of facts."""
    (tmp_path / "films.tsv").write_text(FILMS, encoding="utf-8")
    return tmp_path / "films.tsv"


def test_an_index(tmp_path: Path) -> None:
    build_index(batches_of(random_facts(0)), tmp_path / "index", profile=PROFILE)
    store = open_store(tmp_path / "index", time_out=60)
    assert isinstance(store, EmbeddedStore)
    assert store.time_out == 60
    assert store.profile == PROFILE
    assert open_store(str(tmp_path / "index"), digest="known").digest == "known"
    assert open_store(str(tmp_path / "index"), profile=PROFILE).count() == 300
    with pytest.raises(KnowledgeBaseError, match="another base"):
        open_store(tmp_path / "index", profile="freebase")


def test_a_file_is_built_once(films: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(films)
    assert isinstance(store, EmbeddedStore)
    assert store.neighbours(JAWS) == [Term.name("Spielberg")]
    assert [file.path.suffix for file in stored_files()] == [".folder"]
    films.rename(tmp_path / "moved.tsv")
    digest = store.digest
    with monkeypatch.context() as patch:
        patch.setattr("recombine.kb.embedded.build_index.build_index", None)  # it would fail
        assert open_store(tmp_path / "moved.tsv").digest == digest
    (tmp_path / "moved.tsv").write_text(FILMS + "Duel\tdirected_by\tSpielberg\n", encoding="utf-8")
    assert open_store(tmp_path / "moved.tsv").count() == 3
    assert len(stored_files()) == 2
    open_store(tmp_path / "moved.tsv", profile="freebase")
    assert len(stored_files()) == 3
    assert len(clear_cache()) == 3
    assert store.neighbours(JAWS) == [Term.name("Spielberg")]  # what is mapped stays


@pytest.mark.parametrize("damage", [b"", b"\0"])
def test_a_damaged_index_is_built_again(films: Path, damage: bytes) -> None:
    open_store(films)
    (kept,) = stored_files()
    file = kept.path / "index" / "terms.bin"
    file.write_bytes(damage + file.read_bytes()[1:])
    if damage:
        assert open_store(films).neighbours(JAWS) == [Term.name("Spielberg")]
    else:
        with pytest.warns(InputWarning, match="is damaged"):
            assert open_store(films).neighbours(JAWS) == [Term.name("Spielberg")]


def test_without_a_cache_nothing_stays(films: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    store = open_store(films)
    assert len(store.select("SELECT * { ?s ?p ?o }").rows) == 2
    assert len(list((tmp_path / "temporary").iterdir())) == 1
    del store
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_folder_of_pyoxigraph(tmp_path: Path) -> None:
    made = pyoxigraph.Store(str(tmp_path / "store"))
    add_facts(made, [("=Jaws", "=directed_by", "=Spielberg")], find_profile("plain"))
    made.flush()
    del made
    store = open_store(tmp_path / "store", time_out=5)
    assert isinstance(store, OxigraphStore)
    assert store.neighbours(JAWS) == [Term.name("Spielberg")]


def test_an_endpoint() -> None:
    with endpoint(lambda handler, _: handler.answer(b'{"head": {}, "boolean": true}')) as server:
        store = open_store(server.address, graph="http://g/", time_out=5, version="1")
        assert isinstance(store, EndpointStore)
        assert store.ask("ASK {}")
    assert server.asked[0]["default-graph-uri"] == "http://g/"
    assert store.digest != open_store(server.address, graph="http://g/", version="2").digest
    known = open_store(server.address, graph="http://g/", version="1", digest="known")
    assert known.digest == "known"
    assert known.ask("ASK {}")  # the answer is kept, and the server is gone


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda _: None, "place: no such file or folder"),
        (lambda path: path.mkdir(), "is no index of a knowledge base"),
        (lambda path: path.write_bytes(b"\0\0"), "place: "),
    ],
)
def test_places_that_are_none(tmp_path: Path, make: Any, problem: str) -> None:
    make(tmp_path / "place")
    with pytest.raises(RecombineError, match=problem):
        open_store(tmp_path / "place")


def test_options_of_endpoints_are_for_endpoints(films: Path) -> None:
    with pytest.raises(OptionError, match="page is for an endpoint"):
        open_store(films, page=5)
