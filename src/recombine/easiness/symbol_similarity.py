"""How alike two symbols are: what they occur beside in the training programs (`local_structures` paper, §4.2).

A symbol has four contexts: the symbols seen as its children, as its parents, as its right and as its left neighbours
among siblings. The similarity of two symbols is the mean Jaccard similarity of their contexts, over the contexts that
at least one of the two has. The way of averaging has a name:

    contexts   the mean over all relevant contexts, as the paper writes it
    relations  the mean over parents and children, that over left and right, then the mean of the two, as the published
               code does; it differs from the former where a relation has one relevant context only

A symbol that train never shows has no contexts: it is like no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recombine.structures.local_structures import LocalStructures

AVERAGES = ("contexts", "relations")


@dataclass(frozen=True)
class SymbolSimilarity:
    """The contexts of symbols as bit sets, and how they are averaged."""

    symbols: tuple[str, ...]
    bits: NDArray[np.uint64] = field(repr=False)
    """Contexts (children, parents, right, left) × symbols × words of 64 bits."""
    average: str = "contexts"

    def of(self, one: str, other: str) -> float:
        """The similarity of two symbols by name."""
        from recombine.easiness.similarity_kernels import compare_symbols

        places = [self._place(symbol) for symbol in (one, other)]
        return float(compare_symbols(self.bits, *places, self.average == "relations"))

    def pairs(self, ones: NDArray[np.int32], others: NDArray[np.int32]) -> NDArray[np.float64]:
        """The similarities of pairs of symbols by number."""
        from recombine.easiness.similarity_kernels import compare_pairs

        return compare_pairs(self.bits, ones, others, self.average == "relations")  # type: ignore[no-any-return]

    def matrix(self) -> NDArray[np.float64]:
        """The similarities of all pairs of symbols."""
        from recombine.easiness.similarity_kernels import compare_all

        return compare_all(self.bits, self.average == "relations")  # type: ignore[no-any-return]

    def contexts(self, symbol: str) -> dict[str, list[str]]:
        """The contexts of a symbol in words."""
        place = self._place(symbol)
        return {
            name: [
                neighbour
                for number, neighbour in enumerate(self.symbols)
                if int(self.bits[context, place, number >> 6]) >> (number & 63) & 1
            ]
            for context, name in enumerate(("children", "parents", "right", "left"))
        }

    def _place(self, symbol: str) -> int:
        if symbol not in self.symbols:
            raise UnknownNameError("symbol", symbol, self.symbols)
        return self.symbols.index(symbol)


def symbol_similarity(
    structures: LocalStructures, observed: NDArray[np.bool_], *, average: str = "contexts"
) -> SymbolSimilarity:
    """The similarity of symbols under the observed structures; only those of two nodes matter.

    >>> import numpy as np
    >>> from recombine.structures.local_structures import local_structures
    >>> from recombine.structures.programs.program_arrays import program_arrays
    >>> from recombine.tree import Tree
    >>> sample = [Tree("exists", (Tree("dog"),)), Tree("count", (Tree("dog"),)), Tree("count", (Tree("cat"),))]
    >>> structures = local_structures(program_arrays(sample))
    >>> symbol_similarity(structures, np.ones(structures.shape[1], bool)).of("exists", "count")
    0.75
    """
    from recombine.easiness.similarity_kernels import context_bits

    if average not in AVERAGES:
        raise UnknownNameError("average of contexts", average, AVERAGES)
    bits = context_bits(structures.shapes, structures.labels, observed, len(structures.symbols))
    return SymbolSimilarity(structures.symbols, bits, average)
