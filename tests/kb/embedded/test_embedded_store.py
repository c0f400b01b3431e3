"""Many questions at once give what one at a time gives; sets, counts and paths against slow versions plainly right."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from facts_of import Fact, batches, names, number, store_of
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import AnswerError, OptionError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.embedded.hop_kernels import ANY
from recombine.kb.embedded.set_kernels import intersect
from recombine.kb.profiles.profile import Profile
from recombine.kb.store import Step, Store
from recombine.kb.term import Term

NAME = Term.name


def random_facts(seed: int, nodes: int = 12, count: int = 60) -> list[Fact]:
    rng = np.random.default_rng(seed)
    rows = zip(
        rng.integers(nodes, size=count), rng.integers(3, size=count), rng.integers(nodes, size=count), strict=True
    )
    return [(NAME(f"e{s}"), NAME(f"r{r}"), NAME(f"e{t}")) for s, r, t in rows]


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return store_of(random_facts(1), tmp_path / "index")


def test_it_is_a_store(store: EmbeddedStore) -> None:
    general: Store = store
    assert (general.kind, len(general.digest)) == ("kb", 64)
    assert isinstance(general.profile, Profile)
    assert repr(store) == f"<EmbeddedStore {store.folder.path}: {len(store)} facts>"


@pytest.mark.parametrize("hops", [0, 1, 2, 3])
def test_many_paths_at_once(hops: int, store: EmbeddedStore) -> None:
    rng = np.random.default_rng(hops)
    relations = [store.id(NAME(f"r{n}")) for n in range(3)]
    steps = np.array([*relations, *(~each for each in relations), ANY, ~ANY])
    starts = rng.integers(len(store.table), size=200).astype(np.int32)
    starts[:5] = -1  # a term that is not there leads nowhere
    paths = rng.choice(steps, (200, hops))
    begins, answers = store.follow_many(starts, paths)
    assert (begins[0], begins[-1], len(begins)) == (0, len(answers), 201)
    assert begins[5] == 0
    assert store.follow_id(-1, paths[0]).tolist() == store.follow_ids(starts[:5], paths[0]).tolist() == []
    for query in range(5, 200):
        one = store.follow_id(int(starts[query]), paths[query])
        assert answers[begins[query] : begins[query + 1]].tolist() == one.tolist() == sorted(set(one.tolist()))
        assert store.follow_ids(starts[query : query + 1], paths[query]).tolist() == one.tolist()


def test_one_path_for_all(store: EmbeddedStore) -> None:
    starts = np.arange(len(store.table), dtype=np.int32)
    path = np.array([store.id(NAME("r0")), ~store.id(NAME("r1"))])
    for one, other in zip(
        store.follow_many(starts, path), store.follow_many(starts, np.tile(path, (len(starts), 1))), strict=True
    ):
        assert one.tolist() == other.tolist()
    with pytest.raises(OptionError, match="3 starts and 2 paths; give every start its path"):
        store.follow_many(starts[:3], np.zeros((2, 2), np.int64))


def test_more_answers_than_there_is_room_at_first(tmp_path: Path) -> None:
    facts = [(NAME("hub"), NAME("r"), NAME(f"e{n:04}")) for n in range(3000)]
    facts += [(NAME(f"e{n:04}"), NAME("back"), NAME(f"e{(n * 7) % 3000:04}")) for n in range(3000)]
    store = store_of(facts, tmp_path / "index")
    everything = [NAME(f"e{n:04}") for n in range(3000)]
    assert store.neighbours(NAME("hub")) == everything
    assert store.follow([NAME("hub")], [Step(NAME("r")), Step(NAME("back"))]) == everything
    path = store.steps([Step(NAME("r")), Step(NAME("back"))])
    assert path is not None
    begins, answers = store.follow_many(np.full(3, store.id(NAME("hub")), np.int32), path)
    assert begins.tolist() == [0, 3000, 6000, 9000]
    assert store.terms(answers[3000:6000]) == everything
    assert store.count(NAME("hub"), NAME("r")) == 3000
    assert store.count(None, NAME("r"), NAME("e0001")) == 1


def test_counts(store: EmbeddedStore) -> None:
    facts = set(random_facts(1))
    terms: list[Term | None] = [None, NAME("nobody"), *{term for fact in facts for term in fact}]
    for wanted in product(terms, [None, NAME("r0"), NAME("r9")], terms):
        expected = sum(all(w in (None, each) for w, each in zip(wanted, fact, strict=True)) for fact in facts)
        assert store.count(*wanted) == expected
    by_relation = Counter(fact[1] for fact in facts)
    assert {store.term(number): count for number, count in store.relation_counts.items()} == by_relation


def test_all_of_a_relation(store: EmbeddedStore) -> None:
    facts = set(random_facts(1))
    for relation in ("r0", "r1", "r2"):
        number = store.id(NAME(relation))
        assert set(store.terms(store.along(number))) == {s for s, p, _ in facts if p == NAME(relation)}
        assert set(store.terms(store.along(number, inverse=True))) == {o for _, p, o in facts if p == NAME(relation)}


IDS = st.lists(st.integers(0, 60), unique=True).map(sorted)


@given(IDS, IDS)
def test_intersection_of_two(one: list[int], other: list[int]) -> None:
    assert intersect(np.array(one, np.int32), np.array(other, np.int32)).tolist() == sorted({*one} & {*other})


def test_intersection_of_a_few_with_many() -> None:
    many, few = (
        np.arange(0, 100_000, 3, dtype=np.int32),
        np.array([0, 1, 2, 3, 50_000, 50_001, 99_999, 200_000], np.int32),
    )
    assert intersect(few, many).tolist() == intersect(many, few).tolist() == [0, 3, 50_001, 99_999]


def test_intersections(store: EmbeddedStore) -> None:
    sets = [np.array(each, np.int32) for each in ([1, 3, 5, 7], [3, 5], [2, 3, 4, 5])]
    assert store.intersection(*sets).tolist() == [3, 5]
    assert store.intersection(sets[0]).tolist() == [1, 3, 5, 7]
    with pytest.raises(OptionError, match="no sets to intersect"):
        store.intersection()


def walks(facts: set[Fact], start: Term, end: Term, length: int) -> set[tuple[Step, ...]]:
    """The paths between two terms, by trying all."""
    steps = [Step(NAME(f"r{n}"), inverse) for n in range(3) for inverse in (False, True)]
    found = set()
    for path in product(steps, repeat=length):
        here = {start}
        for relation, inverse in path:
            pairs = [(o, s) if inverse else (s, o) for s, p, o in facts if p == relation]
            here = {there for one, there in pairs if one in here}
        if end in here:
            found.add(path)
    return found


@pytest.mark.parametrize(("one", "other"), [("e0", "e1"), ("e3", "e3"), ("e2", "e11"), ("e0", "r1")])
def test_paths_between_two_terms(one: str, other: str, tmp_path: Path) -> None:
    facts = random_facts(5, count=14)
    store = store_of(facts, tmp_path / "index")
    found = store.paths(NAME(one), NAME(other), hops=3)
    expected = [walks(set(facts), NAME(one), NAME(other), length) for length in (1, 2, 3)]
    assert set(found) == set().union(*expected)
    assert len(found) == sum(map(len, expected))
    assert [len(path) for path in found] == sorted(len(path) for path in found)
    assert store.paths(NAME(one), NAME(other), hops=1) == found[: len(expected[0])]


def test_paths_are_never_cut(store: EmbeddedStore) -> None:
    whole = store.paths(NAME("e0"), NAME("e1"), hops=3)
    assert store.paths(NAME("e0"), NAME("e1"), hops=3, limit=len(whole)) == whole
    for limit in (0, 1, len(whole) - 1):
        with pytest.raises(AnswerError, match=f"more than {limit} paths of up to 3 hops; ask for fewer"):
            store.paths(NAME("e0"), NAME("e1"), hops=3, limit=limit)
    with pytest.raises(OptionError, match="7 hops; give 1 to 6"):
        store.paths(NAME("e0"), NAME("e1"), hops=7)
    assert store.paths(NAME("nobody"), NAME("e1")) == []


def test_facts_come_back(tmp_path: Path) -> None:
    facts = [
        *random_facts(3),
        (NAME("e0"), NAME("v"), number("7")),
        (Term.blank("b"), NAME("v"), Term.literal("x", language="en")),
    ]
    store = store_of(facts, tmp_path / "index")
    rows = [tuple(row.values()) for batch in store.iter_triples() for row in batch.to_pylist()]
    assert rows == sorted({(s.key, p.key, o.key) for s, p, o in facts})
    again = store_of([], tmp_path / "again")
    assert list(again.iter_triples()) == []
    from recombine.kb.embedded.build_index import build_index

    assert build_index(store.iter_triples(), tmp_path / "again", profile=store.profile).digest == store.digest
    assert len(list(batches(facts))) > 1


def test_what_no_fact_has_lies_between_others(tmp_path: Path) -> None:
    store = store_of(names("apple p cherry"), tmp_path / "index")
    assert store.near(NAME("banana")) == [NAME("apple"), NAME("cherry")]
    assert store.near(NAME("zebra")) == [NAME("p")]
    assert store.near(Term.literal("x")) == []
    assert store.ids([]).tolist() == []
