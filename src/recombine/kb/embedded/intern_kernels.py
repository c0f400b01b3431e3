"""Kernels that give every distinct key a number, in the order in which keys come.

Keys lie end to end in `arena`; key `i` is `arena[starts[i]:starts[i + 1]]`. `table` is a hash table with open places:
an entry is the upper half of the key's hash and its number plus one, and zero is free. The caller sees to it that there
is room before it calls.
"""

from __future__ import annotations

import numpy as np

from recombine.kernels.kernel import kernel, part

_LT, _NAME, _PERCENT = 60, 61, 37  # `<`, `=`, `%`


@part
def _hex(byte):  # type: ignore[no-untyped-def]
    """The value of an upper-case hexadecimal digit, or -1."""
    if 48 <= byte <= 57:
        return byte - 48
    if 65 <= byte <= 70:
        return byte - 55
    return -1


@part
def _write_name(data, first, last, encoded, arena, place):  # type: ignore[no-untyped-def]
    """Write the name that the rest of an IRI stands for, and give where it ends, or -1 where it stands for none."""
    here = first
    while here < last:
        byte = np.int64(data[here])
        if byte == _PERCENT:
            if here + 2 >= last:
                return -1
            high, low = _hex(np.int64(data[here + 1])), _hex(np.int64(data[here + 2]))
            byte = high * 16 + low
            if high < 0 or low < 0 or not encoded[byte]:
                return -1
            here += 3
        else:
            if encoded[byte]:
                return -1
            here += 1
        arena[place] = byte
        place += 1
    return place


@part
def _write_key(data, first, last, base, encoded, arena, place):  # type: ignore[no-untyped-def]
    """Write a key, by its name where it is an IRI that has one, and give where it ends."""
    if last - first > len(base) and data[first] == _LT:
        under = True
        for number in range(len(base)):
            if data[first + 1 + number] != base[number]:
                under = False
                break
        if under:
            arena[place] = _NAME
            end = _write_name(data, first + 1 + len(base), last, encoded, arena, place + 1)
            if end >= 0:
                return end
    for number in range(last - first):
        arena[place + number] = data[first + number]
    return place + last - first


@part
def _hash(data, first, last):  # type: ignore[no-untyped-def]
    """FNV-1a of 64 bits, mixed once more: the low bits choose the place in a table."""
    value = np.uint64(14695981039346656037)
    for place in range(first, last):
        value = (value ^ np.uint64(data[place])) * np.uint64(1099511628211)
    return value ^ (value >> np.uint64(29))


@part
def _same(arena, first, second, length):  # type: ignore[no-untyped-def]
    number = 0
    while number < length and arena[first + number] == arena[second + number]:
        number += 1
    return number == length


@kernel
def intern_keys(data, offsets, base, encoded, arena, starts, table, count):  # type: ignore[no-untyped-def]
    """The numbers of some keys, and how many distinct ones there are then; new ones are added at the end."""
    numbers = np.empty(len(offsets) - 1, np.int32)
    mask = np.uint64(len(table) - 1)
    upper = np.uint64(0xFFFFFFFF00000000)
    for row in range(len(offsets) - 1):
        first = starts[count]
        last = _write_key(data, offsets[row], offsets[row + 1], base, encoded, arena, first)
        value = _hash(arena, first, last)
        place = value & mask
        while True:
            entry = table[place]
            if entry == np.uint64(0):
                table[place] = (value & upper) | np.uint64(count + 1)
                numbers[row] = count
                count += 1
                starts[count] = last
                break
            if entry & upper == value & upper:
                other = np.int64(entry & np.uint64(0xFFFFFFFF)) - 1
                begin = starts[other]
                if starts[other + 1] - begin == last - first and _same(arena, begin, first, last - first):
                    numbers[row] = other
                    break
            place = (place + np.uint64(1)) & mask
    return numbers, count


@kernel
def enter_keys(arena, starts, table, count):  # type: ignore[no-untyped-def]
    """Enter all keys into an empty table, which is larger than the one before."""
    mask = np.uint64(len(table) - 1)
    for number in range(count):
        value = _hash(arena, starts[number], starts[number + 1])
        place = value & mask
        while table[place] != np.uint64(0):
            place = (place + np.uint64(1)) & mask
        table[place] = (value & np.uint64(0xFFFFFFFF00000000)) | np.uint64(number + 1)


@kernel
def gather_keys(arena, starts, order):  # type: ignore[no-untyped-def]
    """The keys end to end in another order, with their starts."""
    moved = np.empty(len(order) + 1, np.int64)
    moved[0] = 0
    for place in range(len(order)):
        moved[place + 1] = moved[place] + starts[order[place] + 1] - starts[order[place]]
    keys = np.empty(moved[len(order)], np.uint8)
    for place in range(len(order)):
        first, to = starts[order[place]], moved[place]
        for number in range(moved[place + 1] - to):
            keys[to + number] = arena[first + number]
    return keys, moved
