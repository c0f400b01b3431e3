"""The places of many ranges in a row: how rows of different lengths are taken from flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def range_places(firsts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of ranges, one range after the other.

    >>> import numpy as np
    >>> range_places(np.array([7, 2]), np.array([2, 3])).tolist()
    [7, 8, 2, 3, 4]
    """
    import numpy as np

    begins = np.cumsum(lengths) - lengths
    places: NDArray[np.int64] = np.arange(int(lengths.sum())) + np.repeat(firsts - begins, lengths)
    return places
