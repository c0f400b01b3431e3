"""The terms of an index by their ids, and ids by terms: the sorted keys, end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.base_names import named
from recombine.kb.embedded.name_kernels import find_key, find_keys, first_not_before
from recombine.kb.term import IRI, Term

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt
    import pyarrow as pa


class TermTable:
    """All terms of an index; the id of one is its place among the sorted keys."""

    def __init__(self, keys: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], base: str) -> None:
        self._keys, self._starts, self._base = keys, starts, base
        self._bytes = keys.data

    def __len__(self) -> int:
        return len(self._starts) - 1

    def id(self, term: Term) -> int:
        """The id of a term, -1 where there is none."""
        return int(find_key(self._keys, self._starts, np.frombuffer(self._key(term), np.uint8)))

    def ids(self, terms: Iterable[Term]) -> npt.NDArray[np.int32]:
        """The ids of some terms, -1 where there is none."""
        keys = [self._key(term) for term in terms]
        begins = np.zeros(len(keys) + 1, np.int64)
        np.cumsum([len(key) for key in keys], out=begins[1:])
        ids: npt.NDArray[np.int32] = find_keys(
            self._keys, self._starts, np.frombuffer(b"".join(keys), np.uint8), begins
        )
        return ids

    def term(self, number: int) -> Term:
        """The term of an id."""
        return Term.of_key(str(self._bytes[self._starts[number] : self._starts[number + 1]], "utf-8"))

    def first_from(self, term: Term) -> int:
        """The first id whose key does not sort before that of a term."""
        return int(first_not_before(self._keys, self._starts, np.frombuffer(self._key(term), np.uint8)))

    def column(self, ids: npt.NDArray[np.integer]) -> pa.Array:
        """The keys of some ids as a column of texts."""
        import pyarrow as pa

        content = [None, pa.py_buffer(self._starts), pa.py_buffer(self._keys)]
        return pa.Array.from_buffers(pa.large_string(), len(self), content).take(pa.array(ids))

    def _key(self, term: Term) -> bytes:
        # A surrogate, which no text in UTF-8 has, is no reason to fail: such a term is in no fact.
        return (named(term, self._base) if term.kind == IRI else term).key.encode("utf-8", "surrogatepass")
