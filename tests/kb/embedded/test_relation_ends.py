"""The ends of all relations at once are what each relation gives alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from facts_of import store_of
from valued_facts import PROFILE, valued_facts


def test_the_ends_of_each_relation(tmp_path: Path) -> None:
    store = store_of(valued_facts(2, facts=200, nodes=30), tmp_path / "index", profile=PROFILE)
    total = 0
    for relation in store.relation_counts:
        for inverse in (False, True):
            ends = store.along(relation, inverse=inverse)
            assert np.array_equal(store.relation_ends.along(relation, inverse=inverse), ends)
            total += len(ends)
    nodes, _ = store.relation_ends.pairs()
    assert total == len(nodes) + len(store.relation_ends.pairs(inverse=True)[0])
    assert not len(store.relation_ends.along(len(store.table)))
    assert not len(store.relation_ends.along(0))  # a literal, and no relation
