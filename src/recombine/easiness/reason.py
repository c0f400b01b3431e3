"""The reason for an easiness: the least easy structure, what comes closest to it, and where train shows that."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.easiness.easiness import Easiness, FittedEasiness
    from recombine.structures.local_structures import LocalStructures

SHOWN = 3
"""How many training examples a reason names."""


@dataclass(frozen=True)
class Reason:
    """Why a program is as easy as it is."""

    structure: str
    """The least easy structure, which train does not show."""
    score: float
    similar: str | None
    """The observed structure most similar to it; none where no observed one differs in one symbol only."""
    symbols: tuple[str, str] | None
    """The symbol that differs, and the one in its place."""
    shown_in: tuple[int, ...]
    """The first training rows that hold the similar structure."""
    shown: int
    """How many training rows hold it."""

    def __str__(self) -> str:
        if self.similar is None:
            return f"{self.structure} was not observed, nor anything like it"
        programs = "1 program" if self.shown == 1 else f"{self.shown:,} programs"
        return f"{self.structure} was not observed; {self.similar} was, in {programs} ({self.score:.3f})"

    def to_record(self, ids: Sequence[str]) -> dict[str, Any]:
        """As it is written in JSON, with the ids of the training rows."""
        return {**asdict(self), "shown_in": [ids[row] for row in self.shown_in]}


def explain(fitted: FittedEasiness, easiness: Easiness) -> list[Reason | None]:
    """The reason for each program's easiness; none where all its structures were observed.

    >>> from recombine.easiness.easiness import EasinessRule
    >>> from recombine.structures.local_structures import local_structures
    >>> from recombine.structures.programs.program_arrays import program_arrays
    >>> from recombine.tree import Tree
    >>> texts = ["exists dog", "exists cat", "count dog", "count cat"]
    >>> programs = program_arrays([Tree(f, (Tree(a),)) for f, a in map(str.split, texts)])
    >>> fitted = EasinessRule(local_structures(programs, "local:2")).fit([0, 1, 2])
    >>> print(*explain(fitted, fitted.predict([3])))
    count > cat was not observed; exists > cat was, in 1 program (0.750)
    """
    known: dict[int, Reason] = {}
    reasons: list[Reason | None] = []
    for column, nearest, score in zip(easiness.hardest, easiness.nearest, easiness.scores, strict=True):
        if column < 0:
            reasons.append(None)
            continue
        if int(column) not in known:
            known[int(column)] = _reason(fitted, int(column), int(nearest), float(score))
        reasons.append(known[int(column)])
    return reasons


def _reason(fitted: FittedEasiness, column: int, nearest: int, score: float) -> Reason:
    structures = fitted.rule.structures
    reason = most_similar_reason(structures, column, nearest, score)
    if nearest < 0:
        return reason
    rows = structures.programs_with(nearest)
    rows = rows[np.isin(rows, fitted.train)]
    return replace(reason, shown_in=tuple(int(row) for row in rows[:SHOWN]), shown=len(rows))


def most_similar_reason(structures: LocalStructures, column: int, nearest: int, score: float) -> Reason:
    """The same without the training rows that show the similar structure; `nearest` is -1 where there is none."""
    if nearest < 0:
        return Reason(structures.name(column), score, None, None, (), 0)
    place = int(np.flatnonzero(structures.labels[column] != structures.labels[nearest])[0])
    symbol, nearest_symbol = (
        structures.symbols[int(structures.labels[structure, place])] for structure in (column, nearest)
    )
    return Reason(structures.name(column), score, structures.name(nearest), (symbol, nearest_symbol), (), 0)
