"""The answers to questions: their forms as codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.ragged import Ragged


@dataclass(frozen=True, slots=True)
class Answers:
    """A form for each question."""

    codes: Ragged
    """Without `END`; empty where there is none."""
    scores: NDArray[np.float64]
    """Logarithms of their probabilities; minus infinity where there is none."""
    malformed: NDArray[np.bool_]
    """Whether what was written is no form: brackets, the number of arguments or their kinds do not fit."""
    beams: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """All forms of each question that ended, the likeliest first; of none where one form is asked for."""
