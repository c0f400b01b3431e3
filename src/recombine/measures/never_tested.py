"""Examples that no split can test where train must have every atom of test: those with an atom of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from recombine.structures.features import Features


def never_tested(atoms: Features, *, least: int = 1) -> int:
    """How many examples hold an atom that all others together have fewer than `least` times.

    >>> from recombine.structures.features import Features
    >>> never_tested(Features.from_rows([{"walk": 1}, {"walk": 1, "jump": 1}, {"walk": 1}]))
    1
    """
    totals = np.bincount(atoms.indices, weights=atoms.data, minlength=len(atoms.names))
    alone = (totals[atoms.indices] - atoms.data < least) & (atoms.data > 0)
    rows = np.repeat(np.arange(atoms.shape[0]), np.diff(atoms.indptr))
    return len(np.unique(rows[alone]))


def never_tested_text(number: int, total: int, *, least: int = 1) -> str:
    """The same as a sentence.

    >>> never_tested_text(176, 300)
    'of 300 examples 176 can never be in test: each has an atom that no other example has'
    """
    which = "that no other example has" if least == 1 else f"that the other examples have fewer than {least} times"
    return f"of {total:,} examples {number:,} can never be in test: each has an atom {which}"
