"""Seeds: one check and one way to make the generator that every random choice comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError

if TYPE_CHECKING:
    import numpy as np


def check_seed(seed: int) -> None:
    """Refuse what is not a whole number of 0 or more."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise OptionError(f"the seed is {seed}", "give a whole number of 0 or more")


def make_generator(seed: int) -> np.random.Generator:
    """The generator of a seed."""
    import numpy as np

    check_seed(seed)
    return np.random.default_rng(seed)
