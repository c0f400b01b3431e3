"""Keys that were seen are known, however many there are and however long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.records import seen_keys
from recombine.records.example import Example
from recombine.records.seen_keys import SeenKeys

SIMILAR = st.integers(0, 40).map(lambda number: f"{number:016x}".encode()) | st.integers(0, 9).map(
    lambda number: f"{number:08x}{0:08x}".encode()
)
KEYS = SIMILAR | st.binary(min_size=16, max_size=16) | st.binary(max_size=17)


@given(st.lists(KEYS, max_size=60))
def test_it_is_a_set(keys: list[bytes]) -> None:
    seen, plain = SeenKeys(), set[bytes]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen_keys, "RECENT", 3)
        for key in keys:
            assert seen.add(key) is (key not in plain)
            plain.add(key)


def test_content_ids_take_sixteen_bytes() -> None:
    seen = SeenKeys()
    keys = [Example.of(str(number), "x").id.encode() for number in range(seen_keys.RECENT)]
    assert all(map(seen.add, keys))
    assert (len(seen._firsts), len(seen._recent), len(seen._others)) == (seen_keys.RECENT, 0, 0)
    assert not any(map(seen.add, keys))
