"""Ids that were seen are known, however many there are and however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets import seen_ids
from recombine.datasets.seen_ids import SeenIds
from recombine.records.example import Example

NUMBERS = st.integers(0, 40).map(lambda number: f"{number:016x}") | st.integers(0, 2**64 - 1).map("{:016x}".format)
ODD = st.sampled_from(
    ["000000000000000A", "0x00000000000001", " 000000000000001", "00000000000000_1", "", "7", "é" * 16]
)


@given(st.lists(NUMBERS | ODD, max_size=60))
def test_it_is_a_set(keys: list[str]) -> None:
    seen, plain = SeenIds(), set[str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen_ids, "RECENT", 3)
        for key in keys:
            assert seen.add(key) is (key not in plain)
            plain.add(key)


def test_content_ids_take_eight_bytes() -> None:
    seen = SeenIds()
    keys = [Example.of(str(number), "x").id for number in range(seen_ids.RECENT)]
    assert all(map(seen.add, keys))
    assert (len(seen._sorted), len(seen._recent), len(seen._texts)) == (seen_ids.RECENT, 0, 0)
    assert not any(map(seen.add, keys))
