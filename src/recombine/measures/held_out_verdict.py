"""What was found on looking for what a split's method holds out on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


@dataclass
class HeldOutVerdict:
    """Sentences: what is held out, where train has it all the same, and what could not be looked at."""

    held_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    not_checked: list[str] = field(default_factory=list)
    rows: dict[str, frozenset[int]] = field(default_factory=dict)
    """The examples of a part whose atoms train lacks on purpose."""
    details_may_be_new: bool = False
    """Whether entities and literals that train lacks are no fault."""
    details_of: Callable[[str], frozenset[str]] | None = None
    """The words of a program that train may lack, which are no schema items; none where its language tells them."""
    held: NDArray[np.bool_] | None = None
    """Whether each example of the data is held out; atoms that only such examples have are held out with them."""
