from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.structures.features import Features

ROWS = st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 5), max_size=5), min_size=1, max_size=8)


@given(ROWS, st.data())
def test_sums_agree_with_adding_up(rows: list[dict[str, int]], data: st.DataObject) -> None:
    found = Features.from_rows([{k: float(v) for k, v in row.items()} for row in rows])
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=12))
    expected = [float(sum(rows[n].get(name, 0) for n in chosen)) for name in found.names]
    assert found.sums(chosen).tolist() == expected
    assert [found.row(n) for n in range(len(rows))] == rows


@given(ROWS, st.integers(1, 6))
def test_the_cut_keeps_whole_columns(rows: list[dict[str, int]], count: int) -> None:
    found = Features.from_rows([{k: float(v) for k, v in row.items()} for row in rows])
    total = {name: sum(row.get(name, 0) for row in rows) for name in found.names}
    best = sorted(total, key=lambda name: (-total[name], name))[:count]
    kept = found.keep_top(count)
    assert list(kept.names) == sorted(best)
    assert [kept.row(n) for n in range(len(rows))] == [{k: v for k, v in row.items() if k in best} for row in rows]


def test_as_a_scipy_matrix() -> None:
    matrix = Features.from_rows([{"a": 2.0}, {}, {"b": 1.0}]).matrix()
    assert matrix.toarray().tolist() == [[2, 0], [0, 0], [0, 1]]
    assert matrix.indptr.dtype in (np.int32, np.int64)
    assert matrix.sum() == pytest.approx(3)
