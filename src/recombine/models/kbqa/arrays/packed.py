"""Texts, rows and tries as few small arrays for a file, and back; what does not fit together is refused.

Texts are their bytes end to end. Rows are their lengths and values. The parents of a trie's nodes never fall, so that
each is written as what it is more than the one before it. All numbers are of the smallest type that has room for them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.tries import Tries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

_TYPES = (np.uint8, np.uint16, np.uint32, np.int64)


def smallest(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers of 0 and more in the smallest type that has room for them.

    >>> smallest(np.array([3, 300])).dtype
    dtype('uint16')
    """
    most = int(values.max(initial=0))
    return values.astype(next(each for each in _TYPES if most <= np.iinfo(each).max))


def pack_texts(name: str, texts: Sequence[str]) -> Arrays:
    """Texts under a name."""
    each = [text.encode("utf-8", "surrogatepass") for text in texts]
    return {
        f"{name}_sizes": smallest(np.array([len(text) for text in each], np.int64)),
        f"{name}_bytes": np.frombuffer(b"".join(each), np.uint8),
    }


def unpack_texts(name: str, arrays: Mapping[str, NDArray[Any]]) -> tuple[str, ...]:
    """The texts under a name; a `ValueError` where they are not whole."""
    begins = begins_of(arrays[f"{name}_sizes"])
    whole = arrays[f"{name}_bytes"].astype(np.uint8).tobytes()
    _same(name, int(begins[-1]), len(whole))
    return tuple(whole[first:last].decode("utf-8", "surrogatepass") for first, last in pairwise(begins.tolist()))


def pack_rows(name: str, rows: Ragged) -> Arrays:
    """Rows of numbers of 0 and more."""
    return {f"{name}_sizes": smallest(rows.sizes), f"{name}_values": smallest(rows.values)}


def unpack_rows(name: str, arrays: Mapping[str, NDArray[Any]]) -> Ragged:
    """The rows under a name."""
    begins = begins_of(arrays[f"{name}_sizes"])
    values = _plain(arrays[f"{name}_values"])
    _same(name, int(begins[-1]), len(values))
    return Ragged(begins, values.astype(np.int32))


def pack_tries(name: str, tries: Tries) -> Arrays:
    """Tries under a name."""
    parents = tries.parents.values.astype(np.int64)
    more = np.diff(parents, prepend=-1)
    firsts = _firsts(tries.parents.begins)
    more[firsts] = parents[firsts] + 1
    return {
        f"{name}_sizes": smallest(tries.codes.sizes),
        f"{name}_codes": smallest(tries.codes.values),
        f"{name}_more": smallest(more),
    }


def unpack_tries(name: str, arrays: Mapping[str, NDArray[Any]]) -> Tries:
    """The tries under a name."""
    begins = begins_of(arrays[f"{name}_sizes"])
    codes, more = _plain(arrays[f"{name}_codes"]), _plain(arrays[f"{name}_more"])
    for values in (codes, more):
        _same(name, int(begins[-1]), len(values))
    summed = np.cumsum(more, dtype=np.int64)
    firsts = _firsts(begins)
    before = np.repeat(summed[firsts] - more[firsts], np.diff(begins)[np.diff(begins) > 0])
    parents = summed - before - 1
    places = np.arange(len(parents)) - np.repeat(begins[:-1], np.diff(begins))
    if np.any(parents >= places):
        raise ValueError(f"{name}: a node stands before its parent")
    return Tries(Ragged(begins, parents.astype(np.int32)), Ragged(begins.copy(), codes.astype(np.int32)))


def begins_of(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Where rows of some lengths begin, and where the last ends."""
    begins = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(_plain(sizes), out=begins[1:])
    return begins


def _firsts(begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of the first values of rows that have some."""
    return begins[:-1][np.diff(begins) > 0]


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    if values.ndim != 1 or values.dtype.kind not in "iu" or (values.dtype.kind == "i" and np.any(values < 0)):
        raise ValueError("what should be numbers of 0 and more is not")
    return values


def _same(name: str, said: int, there: int) -> None:
    if said != there:
        raise ValueError(f"{name} should have {said:,} values and has {there:,}")
