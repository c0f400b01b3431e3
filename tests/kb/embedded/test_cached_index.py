"""An index in the cache: made once, made again where it is damaged, and without a cache for the process alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from recombine.kb.embedded.cached_index import cached_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.profiles.find_profile import find_profile


class Facts:
    """One fact, and how many times it was asked for."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Iterator[pa.RecordBatch]:
        self.times += 1
        columns = [pa.array([key], pa.large_string()) for key in ("=a", "=r", "=b")]
        yield pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])


def opened(facts: Facts, decided_by: bytes = b"x") -> EmbeddedStore:
    return cached_index([decided_by], facts, profile=find_profile("plain"))


def test_facts_are_made_once_for_what_decides_them() -> None:
    facts = Facts()
    assert len(opened(facts)) == len(opened(facts)) == 1
    assert facts.times == 1
    opened(facts, b"y")
    assert facts.times == 2


def test_a_damaged_index_is_made_again() -> None:
    facts = Facts()
    terms = opened(facts, b"damaged").folder.path / "terms.bin"
    content = bytearray(terms.read_bytes())
    content[-1] ^= 1
    terms.write_bytes(content)  # of the same size
    assert len(opened(facts, b"damaged")) == 1
    assert facts.times == 2


def test_without_a_cache_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    store = opened(Facts())
    place = Path(store.folder.path)
    assert place.is_dir()
    assert len(store) == 1
    del store
    assert not place.exists()
