"""The literals of an index by their values: which ranks compare how with a value."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from recombine.errors import AnswerError, OptionError
from recombine.kb.embedded.literal_columns import FAMILIES, NUMBER, TEXT, exact_number, is_exact, literal_value
from recombine.kb.embedded.set_kernels import count_families
from recombine.kb.term import LITERAL, Term

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy.typing as npt

    from recombine.kb.embedded.index_folder import IndexFolder
    from recombine.kb.embedded.literal_columns import Value
    from recombine.kb.embedded.term_table import TermTable

Comparison = Literal["<", "<=", ">", ">=", "=", "!="]


class Ranks(NamedTuple):
    """Ranks of a family: up to two ranges."""

    family: int
    ranges: tuple[tuple[int, int], ...]


class LiteralOrder:
    """The columns of an index's literals, as `literal_columns` makes them."""

    def __init__(self, folder: IndexFolder, terms: TermTable) -> None:
        self.families: npt.NDArray[np.int8] = folder.array("literal_families")
        self.ranks: npt.NDArray[np.int32] = folder.array("literal_ranks")
        self._order: npt.NDArray[np.int32] = folder.array("literal_order")
        self._values: npt.NDArray[np.int64] = folder.array("literal_values")
        ends = folder.description["families"]
        self._bounds = (0, 0, *(ends[name] for name in FAMILIES[1:]))
        self._terms = terms

    def compared(self, comparison: Comparison, value: Term) -> Ranks:
        """The ranks of the literals that compare so with a value of their family."""
        found = literal_value(value.text, value.datatype, value.language) if value.kind == LITERAL else None
        if found is None:
            raise OptionError(f"{value.key!r} has no order", "compare with a number, date, time, truth value or text")
        first, last = self._equal(found, value)
        end = self._bounds[found.family + 1] - self._bounds[found.family]
        ranges: dict[str, tuple[tuple[int, int], ...]] = {
            "<": ((0, first),),
            "<=": ((0, last),),
            ">": ((last, end),),
            ">=": ((first, end),),
            "=": ((first, last),),
            "!=": ((0, first), (last, end)),
        }
        if comparison not in ranges:
            raise OptionError(f"{comparison} compares nothing", f"write one of {' '.join(get_args(Comparison))}")
        return Ranks(found.family, ranges[comparison])

    def literals(self, ranks: Ranks) -> npt.NDArray[np.int32]:
        """The ids of the literals of some ranks, sorted."""
        order = self._order[self._bounds[ranks.family] : self._bounds[ranks.family + 1]]
        return np.sort(np.concatenate([order[first:last] for first, last in ranks.ranges]))

    def family(self, ids: npt.NDArray[np.int32], name: str | None) -> int | None:
        """The one family of the values among some ids, or the one that is named; none where there is no value."""
        if name is not None:
            if name not in FAMILIES[1:]:
                raise OptionError(f"{name} is no family of values", f"name one of {', '.join(FAMILIES[1:])}")
            return FAMILIES.index(name)
        counts = np.zeros(len(FAMILIES), np.int64)
        count_families(ids, self.families, counts)
        met = np.flatnonzero(counts[1:]) + 1
        if len(met) > 1:
            what = ", ".join(f"{counts[each]:,} of family {FAMILIES[each]}" for each in met)
            raise AnswerError(f"the values have no common order: {what}", "name one with family=")
        return int(met[0]) if len(met) else None

    def _equal(self, found: Value, value: Term) -> tuple[int, int]:
        """The places in the order of a family that hold an equal value."""
        begin, end = self._bounds[found.family], self._bounds[found.family + 1]
        order = self._order[begin:end]
        if found.family == TEXT:
            first = int(np.searchsorted(order, self._terms.first_from(value)))
            return first, first + int(first < len(order) and order[first] == self._terms.id(value))
        values: npt.NDArray[np.int64 | np.float64] = self._values[begin:end]
        if found.family == NUMBER:
            values = values.view(np.float64)
        first, last = int(np.searchsorted(values, found.number)), int(np.searchsorted(values, found.number, "right"))
        if found.family == NUMBER:
            exact = [self._exact(int(each)) for each in order[first:last]]
            first, last = first + bisect_left(exact, found.exact), first + bisect_right(exact, found.exact)
        return first, last

    def _exact(self, literal: int) -> Fraction | float:
        term = self._terms.term(literal)
        return exact_number(term.text, exact=is_exact(term.datatype))
