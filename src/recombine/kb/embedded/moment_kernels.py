"""Kernels that take literals apart and read dates and times as numbers that compare.

A moment is the microseconds from 1970 to the beginning of a date-time, date, month or year, in UTC; one without a time
zone is taken to be in UTC. Further digits of seconds are dropped. The calendar is Gregorian throughout, and the year 0
is 1 BC, as XML Schema 1.1 has it.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

DATE_TIME, DATE, YEAR_MONTH, YEAR, TIME = 0, 1, 2, 3, 4
_DAY = 86_400_000_000
_MOST_YEARS = 290_000
_SPACES = (9, 10, 13, 32)


@kernel
def split_literals(keys, starts, count):  # type: ignore[no-untyped-def]
    """The texts and the types of the first terms, which are literals, each end to end with their starts."""
    text_starts = np.zeros(count + 1, np.int64)
    type_starts = np.zeros(count + 1, np.int64)
    for number in range(count):
        middle = starts[number + 1] - 1
        while keys[middle] != 0 and middle > starts[number]:
            middle -= 1
        text_starts[number + 1] = text_starts[number] + middle - starts[number] - 1
        type_starts[number + 1] = type_starts[number] + starts[number + 1] - middle - 1
    texts = np.empty(text_starts[count], np.uint8)
    types = np.empty(type_starts[count], np.uint8)
    for number in range(count):
        length = text_starts[number + 1] - text_starts[number]
        for place in range(length):
            texts[text_starts[number] + place] = keys[starts[number] + 1 + place]
        middle = starts[number] + 2 + length
        for place in range(type_starts[number + 1] - type_starts[number]):
            types[type_starts[number] + place] = keys[middle + place]
    return texts, text_starts, types, type_starts


@part
def _digits(data, place, last, least):  # type: ignore[no-untyped-def]
    """A number of digits and where it ends; -1 where there are fewer than wanted, or far too many."""
    value, here = np.int64(0), place
    while here < last and 48 <= data[here] <= 57:
        value = value * 10 + np.int64(data[here]) - 48
        here += 1
        if here - place > 12:
            return value, np.int64(-1)
    return value, here if here - place >= least else np.int64(-1)


@part
def _two(data, place, last, before, most):  # type: ignore[no-untyped-def]
    """Two digits after a sign (0: none), at most so much, and where they end, or -1."""
    if place < 0:
        return np.int64(0), np.int64(-1)
    if before:
        if place >= last or data[place] != before:
            return np.int64(0), np.int64(-1)
        place += 1
    value, end = _digits(data, place, last, 2)
    return value, end if end == place + 2 and value <= most else np.int64(-1)


@part
def _zone(data, place, last):  # type: ignore[no-untyped-def]
    """The minutes of a time zone, 0 without one, and where it ends, or -1."""
    if place < 0 or place == last:
        return np.int64(0), place
    if data[place] == 90:  # Z
        return np.int64(0), place + 1
    if data[place] != 43 and data[place] != 45:
        return np.int64(0), np.int64(-1)
    sign = 1 if data[place] == 43 else -1
    hours, end = _two(data, place + 1, last, 0, 14)
    minutes, end = _two(data, end, last, 58, 59)
    if hours == 14 and minutes:
        end = np.int64(-1)
    return np.int64(sign * (hours * 60 + minutes)), end


@part
def _clock(data, place, last):  # type: ignore[no-untyped-def]
    """The microseconds of a time of day and where it ends, or -1."""
    hours, place = _two(data, place, last, 0, 24)
    minutes, place = _two(data, place, last, 58, 59)
    seconds, place = _two(data, place, last, 58, 59)
    part_of = np.int64(0)
    if place >= 0 and place < last and data[place] == 46:
        begin = place + 1
        place = begin
        while place < last and 48 <= data[place] <= 57:
            if place - begin < 6:
                part_of = part_of * 10 + np.int64(data[place]) - 48
            place += 1
        for _ in range(place - begin, 6):
            part_of *= 10
        if place == begin:
            place = np.int64(-1)
    if hours == 24 and (minutes or seconds or part_of):
        place = np.int64(-1)
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + part_of, place


@part
def _month_length(year, month):  # type: ignore[no-untyped-def]
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


@part
def _days(year, month, day):  # type: ignore[no-untyped-def]
    """The days from 1970-01-01 to a date, by eras of 400 years that begin in March."""
    if month <= 2:
        year -= 1
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


@part
def _moment(data, place, last, kind):  # type: ignore[no-untyped-def]
    """The moment of a text, and whether it has one."""
    while place < last and data[place] in _SPACES:
        place += 1
    while place < last and data[last - 1] in _SPACES:
        last -= 1
    clock = np.int64(0)
    days = np.int64(0)
    if kind == TIME:
        clock, place = _clock(data, place, last)
    else:
        negative = place < last and data[place] == 45
        year, place = _digits(data, place + negative, last, 4)
        month, day = np.int64(1), np.int64(1)
        if kind != YEAR:
            month, place = _two(data, place, last, 45, 12)
            if kind != YEAR_MONTH:
                day, place = _two(data, place, last, 45, 31)
        if kind == DATE_TIME:
            if place < 0 or place >= last or data[place] != 84:  # T
                return np.int64(0), False
            clock, place = _clock(data, place + 1, last)
        if negative:
            year = -year
        if month < 1 or day < 1 or year > _MOST_YEARS or year < -_MOST_YEARS or day > _month_length(year, month):
            return np.int64(0), False
        days = _days(year, month, day)
    zone, place = _zone(data, place, last)
    return days * _DAY + clock - zone * 60_000_000, place == last


@kernel
def read_moments(texts, starts, kinds):  # type: ignore[no-untyped-def]
    """The moments of some texts, each of its kind, and whether they have one."""
    moments = np.zeros(len(kinds), np.int64)
    sound = np.zeros(len(kinds), np.bool_)
    for number in range(len(kinds)):
        moments[number], sound[number] = _moment(texts, starts[number], starts[number + 1], kinds[number])
    return moments, sound
