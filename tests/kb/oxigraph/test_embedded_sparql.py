"""SPARQL over an embedded index agrees with its hops; its copy in the cache is made once, and again when damaged."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import numpy as np
import pytest
from random_facts import PROFILE, batches_of, path_pattern, path_query, random_facts, random_path

from recombine.data_cache import cache_folder, clear_cache, stored_files
from recombine.errors import AnswerError, InputWarning, KnowledgeBaseError
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.oxigraph import embedded_sparql
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.kb.written_term import written_term

QUERY = "SELECT ?o { ns:n10 ?p ?o }"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(embedded_sparql, "_OPENED", {})


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    """An index of made-up facts."""
    build_index(batches_of(random_facts(0)), tmp_path / "index", profile=PROFILE)
    return EmbeddedStore.open(tmp_path / "index")


def copy_of(store: EmbeddedStore) -> Path:
    """The folder of the copy that SPARQL is asked of."""
    folder = cache_folder()
    assert folder is not None
    return folder / f"{embedded_sparql._key(store)}.folder"


def agree(store: EmbeddedStore, starts: list[Term], number: int, *, seed: int = 0) -> int:
    """Ask so many random paths both ways, and give how many answers there were."""
    chance = np.random.default_rng(seed)
    answers, base = 0, store.profile.base
    for _ in range(number):
        start = starts[int(chance.integers(len(starts)))]
        path = random_path(store, start, int(chance.integers(1, 3)), chance)
        if not path:
            continue
        by_hops = store.follow([start], path)
        rows = store.select(path_query(start, path, base)).rows
        assert len(rows) == len(by_hops)
        assert {row[0] for row in rows} == set(by_hops), (start, path)
        answers += len(rows)
        last = by_hops[int(chance.integers(len(by_hops)))]
        if '"' not in (start.kind, last.kind):
            assert store.ask(f"ASK {path_pattern(start, path, written_term(last, base), base)}")
    return answers


def test_hops_and_sparql_agree_on_a_thousand_random_queries(tmp_path: Path) -> None:
    facts = random_facts(1, facts=3000, nodes=400, relations=12)
    build_index(batches_of(facts), tmp_path / "index", profile=PROFILE)
    store = EmbeddedStore.open(tmp_path / "index")
    starts = sorted({Term.of_key(key) for subject, _, target in facts for key in (subject, target)})
    assert agree(store, starts, 1000) > 1200
    subjects = [term for term in starts if term.kind != '"']
    for term in subjects[:50]:
        counted = store.select(f"SELECT ?r (COUNT(*) AS ?n) {{ {written_term(term, PROFILE.base)} ?r ?o }} GROUP BY ?r")
        assert {relation: int(count.text) for relation, count in counted.rows if count} == store.relations(term)


@pytest.mark.shared_data
@pytest.mark.filterwarnings("ignore:.*column 4 is not read")
@pytest.mark.slow
@pytest.mark.parametrize("joined", ["keep", "split"])
def test_hops_and_sparql_agree_on_fb15k237(data_dir: Path, tmp_path: Path, joined: str) -> None:
    profile = find_profile("plain")
    path = data_dir / "kb" / "fb15k237" / "triples.tsv.gz"
    build_index(open_triples(path, profile=profile, joined=joined), tmp_path / "index", profile=profile)
    store = EmbeddedStore.open(tmp_path / "index")
    chance = np.random.default_rng(0)
    starts = [
        term
        for number in chance.integers(len(store.table), size=6000)
        if (term := store.term(int(number))).text[:3] == "/m/"
    ]
    assert len(starts) > 100
    assert agree(store, starts, 1000) > 1500


def test_the_copy_is_made_once(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = store.select(QUERY)
    assert len(answer.rows) == len(store.neighbours(Term.name("n10")))
    assert copy_of(store).is_dir()
    monkeypatch.setattr(embedded_sparql, "_OPENED", {})
    monkeypatch.setattr(embedded_sparql, "add_facts", None)  # it would fail
    assert store.select(f"{QUERY} # again") == answer
    assert copy_of(store) in [each.path for each in stored_files()]
    assert sum(each.size for each in stored_files()) > 1000
    assert copy_of(store) in [each.path for each in clear_cache()]
    assert not copy_of(store).exists()


@pytest.mark.parametrize("damage", ["removed", "cut", "no list"])
def test_a_damaged_copy_is_made_again(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    answer = store.select(QUERY)
    table = max(copy_of(store).rglob("*.sst"), key=lambda path: path.stat().st_size)
    if damage == "removed":
        table.unlink()
    elif damage == "cut":
        table.write_bytes(table.read_bytes()[:-10])
    else:
        (copy_of(store) / "files.json").unlink()
    monkeypatch.setattr(embedded_sparql, "_OPENED", {})
    with pytest.warns(InputWarning, match="is damaged"):
        assert store.select(f"{QUERY} # again") == answer


def test_a_copy_with_other_bytes_is_made_again(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = store.select(QUERY)
    for table in copy_of(store).rglob("*.sst"):
        size = table.stat().st_size
        table.write_bytes(bytes(size))
    monkeypatch.setattr(embedded_sparql, "_OPENED", {})
    assert store.select(f"{QUERY} # again") == answer


def test_without_a_cache_it_is_in_memory(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    assert len(store.select(QUERY).rows) == len(store.neighbours(Term.name("n10")))


def test_a_copy_that_is_larger_than_the_cache(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE_SIZE", "1K")
    with pytest.warns(InputWarning, match="larger than RECOMBINE_DATA_CACHE_SIZE"):
        assert len(store.select(QUERY).rows) == len(store.neighbours(Term.name("n10")))
    folder = cache_folder()
    assert folder is not None
    assert [path.name for path in folder.iterdir() if "folder" in path.name] == []


def test_a_full_disk(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(embedded_sparql, "add_facts", full)
        with pytest.raises(KnowledgeBaseError, match="No space left on device"):
            store.select(QUERY)
    assert stored_files() == []
    assert len(store.select(QUERY).rows) > 0


def _ask(place: str, cache: str, results: multiprocessing.Queue[int]) -> None:
    os.environ["RECOMBINE_DATA_CACHE"] = cache
    results.put(len(EmbeddedStore.open(place).select(QUERY).rows))


def test_processes_beside_each_other_see_one_copy(store: EmbeddedStore) -> None:
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[int] = context.Queue()
    cache = os.environ["RECOMBINE_DATA_CACHE"]
    processes = [context.Process(target=_ask, args=(str(store.folder.path), cache, results)) for _ in range(3)]
    for process in processes:
        process.start()
    counts = [results.get(timeout=120) for _ in processes]
    for process in processes:
        process.join(60)
    assert counts == [len(store.neighbours(Term.name("n10")))] * 3
    assert [path.name for path in Path(cache).iterdir() if "folder" in path.name] == [copy_of(store).name]


def test_another_store_has_another_copy(store: EmbeddedStore, tmp_path: Path) -> None:
    store.select(QUERY)
    build_index(batches_of(random_facts(7)), tmp_path / "other", profile=PROFILE)
    other = EmbeddedStore.open(tmp_path / "other")
    assert copy_of(other) != copy_of(store)
    assert len(other.select(QUERY).rows) == len(other.neighbours(Term.name("n10")))
    assert len(store.select(QUERY).rows) == len(store.neighbours(Term.name("n10")))


def test_a_time_out(store: EmbeddedStore) -> None:
    store.select(QUERY)
    store.time_out = 0.2
    # Given up, a query runs on to its end: this one does not for long, so that it takes no time from later tests.
    few = "{ SELECT ?e { ?e ?f ?g } LIMIT 4 }"
    slow = f"SELECT (COUNT(*) AS ?n) {{ ?a ?p ?b . ?c ?q ?d . {few} FILTER(MD5(CONCAT(STR(?a), STR(?d))) = 'x') }}"
    with pytest.raises(AnswerError, match="took more than"):
        store.select(slow)
    store.time_out = None
    assert len(store.select(QUERY).rows) > 0
