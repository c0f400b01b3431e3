"""Folds of questions such that all questions of a template are in one fold.

The questions of a GrailQA template are people's paraphrases of one canonical question with other entities: a fold that
shares templates with what was trained on would ask what was learned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

QID_DIGITS = 7
"""The digits of a GrailQA qid that name its template."""


def template_of(qid: object) -> str:
    """The template that a GrailQA qid names.

    >>> template_of(2102899001000)
    '2102899'
    """
    return str(qid)[:QID_DIGITS]


def template_folds(templates: Sequence[str], folds: int, *, seed: int) -> NDArray[np.int64]:
    """The fold of each question by the names of their templates; folds have about as many questions each.

    >>> template_folds(["a", "b", "a", "c"], 2, seed=0).tolist()
    [1, 0, 1, 0]
    """
    names, sizes = np.unique(np.array(templates, str), return_counts=True)
    if not 2 <= folds <= len(names):
        raise OptionError(f"{folds} folds of {len(names)} templates", f"give 2 to {len(names)}")
    filled = np.zeros(folds, np.int64)
    chosen: dict[str, int] = {}
    for place in make_generator(seed).permutation(len(names)).tolist():
        chosen[str(names[place])] = fold = int(filled.argmin())
        filled[fold] += sizes[place]
    return np.array([chosen[name] for name in templates], np.int64)


def held_apart(templates: Sequence[str], share: float, *, seed: int) -> NDArray[np.bool_]:
    """Which questions are held apart, so that they are about such a share and share no template with the others."""
    names, sizes = np.unique(np.array(templates, str), return_counts=True)
    order = make_generator(seed).permutation(len(names))
    before = np.cumsum(sizes[order]) - sizes[order]
    apart = {str(names[place]) for place in order[before < share * len(templates)].tolist()}
    return np.array([name in apart for name in templates], bool)
