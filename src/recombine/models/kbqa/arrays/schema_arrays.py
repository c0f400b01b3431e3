"""The items of a schema: the words that forms have for them, and the texts that they are encoded from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RELATION, CLASS = range(2)


@dataclass(frozen=True, slots=True)
class SchemaArrays:
    """Relations and classes in the order of their codes."""

    words: tuple[str, ...]
    """As an S-expression has them, such as `film.film.directed_by`."""
    texts: tuple[str, ...]
    """As they are read: all words of the name, such as `film film directed by`."""
    kinds: NDArray[np.uint8]
    """`RELATION` or `CLASS`."""

    def __len__(self) -> int:
        return len(self.words)
