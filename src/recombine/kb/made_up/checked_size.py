"""The number of facts that is wanted of a made-up world, when it can have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping


def checked_size(size: int | None, sizes: Mapping[str, float]) -> int:
    """A size of at least the `least` of a plan; its `default` where none is given.

    >>> checked_size(None, {"least": 10, "default": 100})
    100
    """
    least = int(sizes["least"])
    if size is None:
        return int(sizes["default"])
    if isinstance(size, bool) or not isinstance(size, int) or size < least:
        raise OptionError(f"a world of {size} facts", f"give a whole number of {least} or more")
    return size
