"""What is learned of one kind of names: the network over two of them, and all that it reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.exclusion.known_pairs import KnownPairs
from recombine.models.exclusion.name_features import list_parts, name_vectors, overlaps
from recombine.models.exclusion.name_pairs import RELATION
from recombine.models.exclusion.pair_net import PairNet, Pairs, fit_pair_net

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from recombine.models.exclusion.name_encoder import NameEncoder
    from recombine.models.exclusion.name_pairs import NamePair

SURE = 0.5


@dataclass(eq=False)
class KindModel:
    """A network, the features it knows, the pairs it was fitted on, and an encoder where it has one."""

    kind: str
    parts: list[str]
    known: KnownPairs
    net: PairNet
    encoder: NameEncoder | None = None
    _vectors: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """How sure it is of each pair, asked and seen, that they exclude each other; a name never excludes itself."""
        self._learn_names(sorted({name for pair in pairs for name in pair} - self._vectors.keys()))
        if not pairs:
            return np.zeros(0)
        asked, seen = (np.stack([self._vectors[pair[at]] for pair in pairs]) for at in (0, 1))
        given = self.net.probability(asked, seen, _together(pairs, self.known, symmetric=not self.net.ordered))
        return np.where([first == second for first, second in pairs], 0.0, given)

    def accuracy(self, pairs: Sequence[NamePair]) -> float:
        """The share of pairs whose label it gives."""
        given = self.probabilities([(pair.asked, pair.seen) for pair in pairs]) > SURE
        return float(np.mean(given == np.array([pair.excludes for pair in pairs]))) if pairs else float("nan")

    def _learn_names(self, names: Sequence[str]) -> None:
        if names:
            rows = self.net.vectors(_features(names, self.parts, self.encoder))
            self._vectors.update(zip(names, rows, strict=True))


def fit_kind_model(
    kind: str,
    pairs: Sequence[NamePair],
    *,
    seed: int,
    encoder: NameEncoder | None = None,
    tell: Callable[[int], None] | None = None,
) -> KindModel:
    """A model fitted on pairs of one kind."""
    known = KnownPairs.of(pairs)
    parts = list_parts(known.names)
    place = {name: at for at, name in enumerate(known.names)}
    ordered = kind == RELATION
    table = Pairs(
        np.array([place[pair.asked] for pair in pairs]),
        np.array([place[pair.seen] for pair in pairs]),
        _together([(pair.asked, pair.seen) for pair in pairs], known, symmetric=not ordered),
        np.array([float(pair.excludes) for pair in pairs]),
    )
    net = fit_pair_net(_features(known.names, parts, encoder), table, ordered=ordered, seed=seed, tell=tell)
    return KindModel(kind, parts, known, net, encoder)


def _features(names: Sequence[str], parts: Sequence[str], encoder: NameEncoder | None) -> csr_matrix:
    from scipy.sparse import csr_matrix, hstack

    own = name_vectors(names, parts)
    return own if encoder is None else csr_matrix(hstack([own, csr_matrix(encoder.vectors(names))]))


def _together(pairs: Sequence[tuple[str, str]], known: KnownPairs, *, symmetric: bool) -> NDArray[np.float64]:
    """What is said of both names together; the same both ways where order does not matter."""
    one_way = np.array([[*overlaps(*pair), *known.counts(*pair)] for pair in pairs])
    if not symmetric:
        return one_way
    other = np.array([[*overlaps(*pair[::-1]), *known.counts(*pair[::-1])] for pair in pairs])
    return np.concatenate([one_way + other, np.abs(one_way - other)], axis=1)
