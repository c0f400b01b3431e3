"""Accuracy on examples with an atom that train never shows, or shows in a single example (NQG paper, §6.1 and §6.2).

Atoms are those of a definition, by presence: what is counted is the train examples that have an atom, each as often as
train lists it. An abstention is an error here, as it is in the accuracy.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError
from recombine.measures.unseen_atoms import unseen_atoms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features

    Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Subset:
    """Some of the entries, and how many of them are right."""

    n: int
    right: int

    @property
    def accuracy(self) -> float | None:
        """The share that is right; none where there are no entries."""
        return self.right / self.n if self.n else None

    @property
    def wrong(self) -> int:
        """How many are not right."""
        return self.n - self.right

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**asdict(self), "accuracy": self.accuracy}


@dataclass(frozen=True)
class RareAtoms:
    """The entries with and without an unseen atom, and with and without one that is seen once."""

    unseen: Subset
    no_unseen: Subset
    once: Subset
    no_once: Subset
    unseen_atoms: tuple[str, ...]

    @property
    def errors_with_unseen(self) -> float | None:
        """The share of errors whose gold program has an unseen atom."""
        return _share(self.unseen.wrong, self.no_unseen.wrong)

    @property
    def errors_with_once(self) -> float | None:
        """The share of errors whose gold program has an atom that is seen in one train example."""
        return _share(self.once.wrong, self.no_once.wrong)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        subsets = {name: getattr(self, name).to_record() for name in ("unseen", "no_unseen", "once", "no_once")}
        return {
            **subsets,
            "errors_with_unseen": self.errors_with_unseen,
            "errors_with_once": self.errors_with_once,
            "unseen_atoms": list(self.unseen_atoms),
        }


def rare_atoms(atoms: Features, train: Sequence[int], test: Sequence[int], correct: Sequence[bool]) -> RareAtoms:
    """The subsets of test entries; atoms are by presence, `correct` is in the order of test.

    >>> from recombine.structures.features import Features
    >>> atoms = Features.from_rows([{"walk": 1}, {"walk": 1, "run": 1}, {"jump": 1}, {"run": 1}, {"walk": 1}])
    >>> rare = rare_atoms(atoms, [0, 1], [2, 3, 4], [False, False, True])
    >>> rare.unseen.accuracy, rare.no_unseen.accuracy, rare.errors_with_once
    (0.0, 0.5, 0.5)
    """
    if len(test) != len(correct):
        raise OptionError(f"{len(test)} entries beside {len(correct)} verdicts", "give one for each entry")
    if not np.isin(atoms.data, (0.0, 1.0)).all():
        raise OptionError("atoms are given by counts", "give them by presence, so that sums are numbers of examples")
    right = np.asarray(correct, bool)
    _, names = unseen_atoms(atoms, train, test)
    times = atoms.sums(train)
    lacking, once = _having(atoms, test, times == 0), _having(atoms, test, times == 1)
    return RareAtoms(
        unseen=_subset(right, lacking),
        no_unseen=_subset(right, ~lacking),
        once=_subset(right, once),
        no_once=_subset(right, ~once),
        unseen_atoms=tuple(names),
    )


def _having(atoms: Features, test: Sequence[int], wanted: Flags) -> Flags:
    """For each entry of test, whether it has one of the wanted atoms."""
    return np.array([bool(wanted[atoms.indices[atoms.entries([row])]].any()) for row in test], bool)


def _subset(right: Flags, part: Flags) -> Subset:
    return Subset(int(part.sum()), int(right[part].sum()))


def _share(part: int, rest: int) -> float | None:
    return part / (part + rest) if part + rest else None
