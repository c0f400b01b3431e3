"""JSON values go through the cells of tables and come back the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets.files.context_cells import read_tsv_cell, write_tsv_cell
from recombine.errors import OutputFileError
from recombine.records.column_cells import ColumnOfCells, read_column_cell

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALAR = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    SCALAR | TEXT | st.sampled_from(["7", '"7"', "[1]", "null", "1e2", "007", "1.0", "{}", "true", "-0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(JSON)
def test_a_cell_of_a_tsv_is_read_back(value: object) -> None:
    back = read_tsv_cell(write_tsv_cell(value))
    assert back == value
    assert type(back) is type(value)


def test_numbers_are_read_only_as_json_writes_them() -> None:
    assert [read_tsv_cell(text) for text in ("1e2", "10e1", "100", "1.50", "-0", " 7")] == [
        *("1e2", "10e1", 100, "1.50"),
        *("-0", " 7"),
    ]


@given(TEXT, TEXT)
def test_two_scalars_that_are_written_otherwise_stay_apart(one: str, two: str) -> None:
    values = [read_tsv_cell(text) for text in (one, two)]
    if one != two and not any(isinstance(value, list | dict) for value in values):
        assert (type(values[0]), values[0]) != (type(values[1]), values[1])


def write_parquet_cells(name: str, values: list[object], path: Path) -> list[object]:
    """The cells of a column that is written value by value."""
    column = ColumnOfCells.of(name, values, path)
    return [cell for value in values for cell in column.cells([value])]


@given(st.lists(JSON, min_size=1, max_size=4))
def test_a_column_of_parquet_is_read_back_or_refused(values: list[object]) -> None:
    try:
        cells = write_parquet_cells("f", values, Path("a.parquet"))
    except OutputFileError:
        return
    assert [read_column_cell(cell) for cell in cells] == values


def test_a_column_of_several_types_is_refused_for_parquet() -> None:
    for values in ([1, "1"], [1, [1]], ["[1]", [1]], [True, 1]):
        with pytest.raises(OutputFileError, match=r"a.parquet: the context 'f' has values of several types"):
            write_parquet_cells("f", values, Path("a.parquet"))
    assert write_parquet_cells("f", ["x", [1], None], Path("a.parquet")) == ["x", "[1]", None]
    assert write_parquet_cells("f", [1, None], Path("a.parquet")) == [1, None]
