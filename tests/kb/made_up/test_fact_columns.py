"""Facts as columns of numbers become batches of keys."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.kb.made_up.fact_columns import FactColumns


def triples(facts: FactColumns) -> list[tuple[str, ...]]:
    """All facts as texts."""
    return [tuple(key.decode() for key in row.values()) for batch in facts.iter_batches() for row in batch.to_pylist()]


def test_named_terms_things_and_literals_keep_their_keys() -> None:
    facts = FactColumns("=m.0x")
    likes, calls = facts.number("=likes"), facts.number("=calls")
    facts.seal()
    things = facts.new(2)
    names = facts.literals(['"Ann\0@en', '"Bo\0@en', '"Ann\0@en'])
    later = facts.new(1)  # after literals were numbered
    facts.add(things, likes, later.repeat(2))
    facts.add(np.concatenate((things, later)), calls, names)
    facts.add(later, np.array([calls]), facts.literals(['"Cy\0@en']))
    facts.add(later[:0], likes, later[:0])
    assert facts.count == 6
    assert triples(facts) == [
        ("=m.0x00000", "=likes", "=m.0x00002"),
        ("=m.0x00001", "=likes", "=m.0x00002"),
        ("=m.0x00000", "=calls", '"Ann\0@en'),
        ("=m.0x00001", "=calls", '"Bo\0@en'),
        ("=m.0x00002", "=calls", '"Ann\0@en'),
        ("=m.0x00002", "=calls", '"Cy\0@en'),
    ]


def test_no_term_is_named_when_things_have_come() -> None:
    facts = FactColumns("=m.0x")
    one = facts.number("=one")
    facts.seal()
    assert facts.number("=one") == one
    with pytest.raises(KeyError, match="=other"):
        facts.number("=other")
