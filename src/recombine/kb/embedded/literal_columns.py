"""Literals as values that compare: numbers, moments, times of day, truth values and plain texts.

Literals of one family are sorted by their values; a literal's rank is its place there, the same for equal values. So a
comparison is a range of places, and the largest value the largest rank. Numbers of all types compare with each other,
those of more than 15 digits exactly; so do date-times, dates, months and years, by when they begin. Texts compare by
their characters. Literals of other types, texts with a language and NaN have no order; neither has one that is not
written as its type wants, and those are counted.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isfinite, isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.kb.embedded.moment_kernels import (
    DATE,
    DATE_TIME,
    TIME,
    YEAR,
    YEAR_MONTH,
    read_moments,
    split_literals,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow as pa

XSD = "http://www.w3.org/2001/XMLSchema#"
FAMILIES = ("none", "number", "moment", "time", "boolean", "text")
NONE, NUMBER, MOMENT, TIME_OF_DAY, BOOLEAN, TEXT = range(6)
_INTEGERS = (
    *("integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger"),
    *("negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
)
_INTEGER, _DECIMAL = r"[+-]?[0-9]+", r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)"
_DOUBLE = rf"{_DECIMAL}([eE][+-]?[0-9]+)?|[+-]?INF|NaN"
NUMBERS = {
    **{XSD + name: _INTEGER for name in _INTEGERS},
    XSD + "decimal": _DECIMAL,
    XSD + "double": _DOUBLE,
    XSD + "float": _DOUBLE,
}
"""Types of numbers, and how one is written."""
MOMENTS = {
    XSD + "dateTime": DATE_TIME,
    XSD + "dateTimeStamp": DATE_TIME,
    XSD + "date": DATE,
    XSD + "gYearMonth": YEAR_MONTH,
    XSD + "gYear": YEAR,
    XSD + "time": TIME,
}
_TRUTHS = {"true": 1, "1": 1, "false": 0, "0": 0}
_SPACES = " \t\r\n"
_EXACT_DIGITS = 15
"""So many digits a double always tells apart."""


class LiteralColumns(NamedTuple):
    """What is kept of literals; those are the terms with the first ids."""

    families: npt.NDArray[np.int8]
    """The family of every literal."""
    ranks: npt.NDArray[np.int32]
    """Its place in the order of its family, of equal ones the first."""
    order: npt.NDArray[np.int32]
    """The literals of one family after the other by their values."""
    values: npt.NDArray[np.int64]
    """Their values in that order: the bits of a double, or microseconds; of texts none."""
    bounds: tuple[int, ...]
    """Where in the order each family begins, and the end."""
    unreadable: int
    """How many are not written as their type wants."""


def literal_columns(keys: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], count: int) -> LiteralColumns:
    """The columns of the first terms, which are the literals."""
    parts = split_literals(keys, starts, count)
    texts, types = _strings(*parts[:2]), _strings(*parts[2:]).dictionary_encode()
    kinds, codes = types.dictionary.to_pylist(), types.indices.to_numpy()
    families = np.array([type_family(kind) for kind in kinds], np.int8)[codes]
    values = np.zeros(count, np.int64)
    sound = families == TEXT
    for code, kind in enumerate(kinds):
        if type_family(kind) in (NONE, TEXT):
            continue
        rows = np.flatnonzero(codes == code)
        values[rows], sound[rows] = _values(texts.take(_indices(rows)), kind)
    unreadable = int(np.count_nonzero(~sound & (families != NONE)))
    families[~sound] = NONE
    number = np.flatnonzero(families == NUMBER)
    families[number[np.isnan(values[number].view(np.float64))]] = NONE
    exact = np.array([kind in NUMBERS and is_exact(kind) for kind in kinds], bool)
    return _sorted(families, values, texts, exact[codes], unreadable)


def _sorted(
    families: npt.NDArray[np.int8],
    values: npt.NDArray[np.int64],
    texts: pa.Array,
    exact: npt.NDArray[np.bool_],
    unreadable: int,
) -> LiteralColumns:
    ranks = np.zeros(len(families), np.int32)
    orders, sorted_values, bounds = [], [], [0]
    for family in range(1, len(FAMILIES)):
        rows = np.flatnonzero(families == family)
        own = values[rows].view(np.float64) if family == NUMBER else values[rows]
        if family == TEXT:
            order, first = rows, np.arange(len(rows))
        else:
            places = np.argsort(own, kind="stable")
            order, own = rows[places], own[places]
            new = np.concatenate([np.ones(min(1, len(own)), bool), own[1:] != own[:-1]])
            if family == NUMBER:
                _tell_apart(order, new, texts, exact)
            first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0))
            sorted_values.append(values[order])
        ranks[order] = first
        orders.append(order.astype(np.int32))
        bounds.append(bounds[-1] + len(order))
    return LiteralColumns(
        families, ranks, np.concatenate(orders), np.concatenate(sorted_values), (0, *bounds), unreadable
    )


def _tell_apart(
    order: npt.NDArray[np.int64], new: npt.NDArray[np.bool_], texts: pa.Array, exact: npt.NDArray[np.bool_]
) -> None:
    """Sort numbers that are one as doubles by what they are exactly, where they have more digits than doubles."""
    import pyarrow.compute as pc

    lengths = pc.utf8_length(texts).to_numpy()
    long = exact[order] & (lengths[order] > _EXACT_DIGITS)
    begins = np.flatnonzero(new)
    for group in np.unique(np.searchsorted(begins, np.flatnonzero(long), side="right") - 1):
        first = begins[group]
        last = begins[group + 1] if group + 1 < len(begins) else len(order)
        own = order[first:last].tolist()
        keyed = sorted((exact_number(texts[row].as_py(), exact=bool(exact[row])), row) for row in own)
        order[first:last] = [row for _, row in keyed]
        new[first + 1 : last] = [one[0] != other[0] for one, other in zip(keyed[1:], keyed, strict=False)]


def exact_number(text: str, *, exact: bool) -> Fraction | float:
    """What a number is exactly: as it is written, or for a double the shortest that is read as it; or an infinity."""
    if exact:
        return Fraction(text.strip(_SPACES))
    number = float(text)
    return Fraction(repr(number)) if isfinite(number) else number


class Value(NamedTuple):
    """A literal as a value: its family, its number there, and of a number what it is exactly."""

    family: int
    number: float
    exact: Fraction | float = 0


@lru_cache(maxsize=1 << 12)
def literal_value(text: str, datatype: str, language: str) -> Value | None:
    """The value of one literal; none where it has no order or is not written as its type wants.

    >>> literal_value("1970-01-02", XSD + "date", "").number
    86400000000
    """
    import pyarrow as pa

    family = NONE if language else type_family(datatype)
    if family in (NONE, TEXT):
        return Value(TEXT, 0) if family == TEXT else None
    values, sound = _values(pa.array([text], pa.large_string()), datatype)
    if not sound[0]:
        return None
    if family != NUMBER:
        return Value(family, int(values[0]))
    number = float(values.view(np.float64)[0])
    if isnan(number):
        return None
    return Value(family, number, exact_number(text, exact=is_exact(datatype)))


def is_exact(datatype: str) -> bool:
    """Whether numbers of a type are what is written, and not the nearest double."""
    return NUMBERS[datatype] != _DOUBLE


def type_family(kind: str) -> int:
    """The family of the values of a type; `NONE` where they have no order."""
    if kind in NUMBERS:
        return NUMBER
    if kind in MOMENTS:
        return TIME_OF_DAY if MOMENTS[kind] == TIME else MOMENT
    return BOOLEAN if kind == XSD + "boolean" else TEXT if kind == "" else NONE


def _values(texts: pa.Array, kind: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The values of texts of one type, and which of them are written as it wants."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if kind in MOMENTS:
        _, offsets, content = texts.buffers()
        data = np.frombuffer(content, np.uint8) if content is not None else np.empty(0, np.uint8)
        starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        return read_moments(data, starts, np.full(len(texts), MOMENTS[kind], np.int8))  # type: ignore[no-any-return]
    trimmed = pc.utf8_trim(texts, characters=_SPACES)
    if kind not in NUMBERS:
        found = [_TRUTHS.get(text) for text in trimmed.to_pylist()]
        return np.array([value or 0 for value in found], np.int64), np.array([each is not None for each in found], bool)
    sound = pc.match_substring_regex(trimmed, f"^(?:{NUMBERS[kind]})$")
    plain = pc.if_else(sound, pc.replace_substring_regex(trimmed, r"^\+", ""), "0")
    plain = pc.replace_substring_regex(plain, r"^(-?)\.", r"\10.")
    numbers = plain.cast(pa.float64()).to_numpy(zero_copy_only=False)
    if kind == XSD + "float":
        with np.errstate(over="ignore"):
            numbers = numbers.astype(np.float32).astype(np.float64)
    numbers = numbers + 0.0  # -0 is 0
    return numbers.view(np.int64), sound.to_numpy(zero_copy_only=False)


def _strings(data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> pa.Array:
    import pyarrow as pa

    return pa.Array.from_buffers(pa.large_string(), len(starts) - 1, [None, pa.py_buffer(starts), pa.py_buffer(data)])


def _indices(rows: npt.NDArray[np.int64]) -> pa.Array:
    import pyarrow as pa

    return pa.array(rows)
