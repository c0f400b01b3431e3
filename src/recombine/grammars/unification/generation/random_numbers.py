"""Random numbers from 0 to 1 without end, made many at a time, for Python and for kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_BLOCK = 4096
"""So many are made at a time."""


class RandomNumbers:
    """The numbers of a generator, one after the other, however many are made at a time.

    >>> import numpy as np
    >>> numbers = RandomNumbers(np.random.default_rng(1))
    >>> [numbers.next(), numbers.next()] == np.random.default_rng(1).random(2).tolist()
    True
    """

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        self.made: npt.NDArray[np.float64] = generator.random(_BLOCK)
        self.used = 0
        """How many of those that are made were used."""

    def next(self) -> float:
        """The next one."""
        if self.used == len(self.made):
            self.make_more()
        self.used += 1
        return float(self.made[self.used - 1])

    def make_more(self) -> None:
        """Make more; those that were used are forgotten."""
        import numpy as np

        self.made = np.concatenate([self.made[self.used :], self._generator.random(_BLOCK)])
        self.used = 0
