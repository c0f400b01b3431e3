"""The charts' small kernels, against versions that are plainly right.

Each also runs as plain Python, where a place outside an array is an error; compiled code would read what lies there.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.models.nqg.forest import chart_kernels as kernels


@pytest.mark.parametrize("compiled", [True, False])
@settings(deadline=None, max_examples=60)
@given(words=st.lists(st.integers(2, 4), max_size=8))
def test_a_part_of_a_target_is_named_by_its_first_place(compiled: bool, words: list[int]) -> None:
    canonical = kernels.canonical if compiled else kernels.canonical.py_func
    found = canonical(np.array(words, np.int32))
    for place in range(len(words)):
        for length in range(1, len(words) - place + 1):
            part = words[place : place + length]
            assert found[place, length] == next(k for k in range(len(words)) if words[k : k + length] == part)
