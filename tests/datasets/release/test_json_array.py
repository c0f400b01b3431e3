"""An array is read as `json` reads it, whatever the pieces; a file that is cut off anywhere is refused."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.datasets.release.json_array import iter_json_array, object_spans
from recombine.errors import InputFileError, RecombineError, RecordError

# Texts of what could be taken for a place where an object begins or ends.
texts = st.text(st.sampled_from('"\\{}[],: aé\n'), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def read(text: str | bytes, piece: int = 1 << 20) -> list[tuple[int, dict[str, Any]]]:
    data = text.encode() if isinstance(text, str) else text
    return list(iter_json_array(BytesIO(data), "data.json", piece=piece))


@given(st.lists(st.dictionaries(texts, values, max_size=3), max_size=4), st.integers(1, 40), st.sampled_from([None, 2]))
@settings(deadline=None)
def test_what_json_reads(items: list[dict[str, Any]], piece: int, indent: int | None) -> None:
    for ascii_only in (True, False):
        written = json.dumps(items, indent=indent, ensure_ascii=ascii_only)
        assert read(f" {written}\n", piece) == list(enumerate(items, start=1))


@pytest.mark.slow
@given(st.lists(st.dictionaries(texts, values, max_size=3), min_size=1, max_size=3))
@settings(deadline=None)
def test_a_file_that_is_cut_off_anywhere_is_refused(items: list[dict[str, Any]]) -> None:
    written = json.dumps(items).encode()
    for end in range(len(written)):
        with pytest.raises(RecombineError):
            read(written[:end], 7)


TWO = '[{"a": "x"}, {"a": {"b": "y"}}]'


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ('[{"a": "x', "data.json: is cut off at byte 9, inside of record 1"),
        ('[{"a": "x"}', "data.json: is cut off at byte 11, after record 1, before the array ends"),
        ('[{"a": "x"}, ', "data.json: is cut off at byte 13, after record 1, before the array ends"),
        ('[{"a": "x"}, {', "data.json: is cut off at byte 14, inside of record 2"),
        ('[{"a": "x"}, {"a": {"b": "y"}', "data.json: is cut off at byte 29, inside of record 2"),
        (TWO[:-1], "data.json: is cut off at byte 30, after record 2, before the array ends"),
    ],
)
def test_where_it_is_cut_off_is_said(kept: str, message: str) -> None:
    assert TWO.startswith(kept)
    with pytest.raises(InputFileError) as caught:
        read(kept)
    assert str(caught.value) == f"{message}; copy or download it again"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a": 1}, 5]', "record 2: ', 5]' at byte 9 is not a JSON object"),
        ('[5, {"a": 1}]', "record 1: '[5,' at byte 0 is not a JSON object"),
        ('[{"a": 1} {"a": 2}]', "record 2: '' at byte 9 is not a JSON object"),
        ('[{"a": 1}]{"a": 2}', "record 2: ']' at byte 9 is not a JSON object"),
        ('[{"a": 1}] more', "record 2: '] more' at byte 9 is not a JSON object"),
        ('[{"a": 1}}, {"a": 2}]', "record 2: '}, {\"a\": 2}]' at byte 9 is not a JSON object"),
        ('[{"a": [1}, {"a": 2}]', "record 1: broken JSON at byte 9"),
        (b'[{"a": "\xff"}]', "record 1: broken JSON at byte"),
    ],
)
def test_what_is_no_array_of_objects(text: str | bytes, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(text)
    assert str(caught.value).startswith(f"data.json, {message}")


def test_no_array() -> None:
    for text in ("", "{}", "x"):
        with pytest.raises(RecombineError):
            read(text)
    assert read("[]") == read(" [ \n]\n") == []


def test_a_mark_of_byte_order_is_taken_off() -> None:
    assert read(b'\xef\xbb\xbf[{"a": 1}]') == [(1, {"a": 1})]


def test_an_object_longer_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "1000")
    text = json.dumps([{"a": "x"}, {"a": "x" * 2000}])
    with pytest.raises(InputFileError, match="has a record 2 of more than 1,000 bytes"):
        read(text, 100)
    assert len(read(json.dumps([{"a": "x" * 100}] * 50), 100)) == 50


class Counted(BytesIO):
    """Counts how often it is read from, and the most bytes at a time."""

    reads, most = 0, 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.reads, self.most = self.reads + 1, max(self.most, len(data))
        return data


def test_pieces_stay_small_and_grow_only_with_an_object() -> None:
    many = Counted(json.dumps([{"a": "x" * 50}] * 1000).encode())
    assert len(list(iter_json_array(many, "data.json", piece=1000))) == 1000
    assert many.most <= 1000
    # Looked through again with every piece, an object of n pieces would take n² / 2 of them.
    long = Counted(json.dumps([{"a": "x" * 100_000}]).encode())
    assert len(list(iter_json_array(long, "data.json", piece=100))) == 1
    assert long.reads < 20


def test_runs_of_backslashes() -> None:
    for run in range(6):
        text = '{"a": "' + "\\" * run + '"}'
        whole = run % 2 == 0  # else the quote is escaped, and the text goes on
        assert object_spans(text.encode()) == ([(0, len(text))] if whole else [])
