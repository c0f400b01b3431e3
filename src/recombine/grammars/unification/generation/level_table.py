"""How much weight trees of each exact size have, so that a tree of any size can be drawn without a dead end.

The weight of a tree is the product of the weights of its rules, each in its place: a rule may have another weight as
the n-th part of some rule than elsewhere. Weights are summed by dynamic programming over sizes, a rule being one. With
all weights 1 the sums are numbers of trees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from recombine.grammars.unification.generation.ways import Ways

    Floats = npt.NDArray[np.float64]

Place = tuple[int, int] | None
"""The number of a rule and of one of its parts, counted from 0; none for the top."""
Weight = Callable[[Place, int], float]
"""The weight of a rule, by number, in a place."""


class _Part(NamedTuple):
    """The steps of a part as columns."""

    before: npt.NDArray[np.intp]
    pair: npt.NDArray[np.intp]
    after: npt.NDArray[np.intp]


class LevelTable:
    """Sums of weights by pair and size in each place, and by rule, number of parts, state and size."""

    def __init__(self, ways: Ways, weight: Weight, most: int, places: frozenset[Place]) -> None:
        """Sizes go up to `most`; `places` are those in which some rule has a weight of its own."""
        import numpy as np

        self.ways, self.most = ways, most
        self.places = {place: number for number, place in enumerate([None, *sorted(p for p in places if p)])}
        """Places with weights of their own, numbered; all others have those of the top, which is 0."""
        self.weights = np.array([[weight(place, rule.number) for rule in ways.rules] for place in self.places])
        self.pairs = np.zeros((len(self.places), len(ways.pairs), most + 1))
        """By place, pair and size."""
        self.partial = [[np.zeros((states, most + 1)) for states in rule.states] for rule in ways.rules]
        """By rule and number of parts: by state and size of those parts together."""
        for sums in self.partial:
            sums[0][0, 0] = 1.0
        self._fill()

    def place_of(self, rule: int, part: int) -> int:
        """The number of a place, by the rule's number."""
        return self.places.get((rule, part), 0)

    def starts(self) -> Floats:
        """The sums of whole questions, by size."""
        total: Floats = sum(self.pairs[0, pair] for _, pair in self.ways.starts)
        return total

    def _fill(self) -> None:
        import numpy as np

        columns = [
            [_Part(*(np.array(column, dtype=np.intp) for column in zip(*part, strict=True))) for part in rule.parts]
            for rule in self.ways.rules
        ]
        makers = np.array([[place, state, pair] for pair, made in enumerate(self.ways.makers) for place, state in made])
        for size in range(1, self.most + 1):
            ends = []
            for rule, parts, sums in zip(self.ways.rules, columns, self.partial, strict=True):
                for number, part in enumerate(parts):
                    below = self.pairs[self.place_of(rule.number, number)]
                    added = np.einsum(
                        "ij,ij->i", sums[number][part.before, : size - 1], below[part.pair, size - 1 : 0 : -1]
                    )
                    np.add.at(sums[number + 1][:, size - 1], part.after, added)
                ends.append(sums[-1][:, size - 1])
            values = np.array([ends[place][state] for place, state, _ in makers])
            for place in range(len(self.places)):
                np.add.at(self.pairs[place, :, size], makers[:, 2], values * self.weights[place, makers[:, 0]])
