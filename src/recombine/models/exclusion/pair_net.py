"""A small network over two names: each becomes a vector, and one hidden layer reads both (numpy alone).

Where order does not matter it reads their sum, product and distance, so that both ways give the same number by
construction; where it does, both vectors, their product and their difference. It is fitted on all pairs at once with
Adam, a decay of weights, and a share of the vectors' numbers left out at each step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Array = NDArray[np.float64]

WIDTH, HIDDEN, STEPS, RATE, DECAY, DROPPED = 48, 64, 300, 0.01, 1e-2, 0.2
_FIRST, _SECOND, _SMALL = 0.9, 0.999, 1e-8


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs by rows of a matrix of names, what is said of both together, and labels."""

    asked: NDArray[np.int64]
    seen: NDArray[np.int64]
    together: Array
    labels: Array

    def __len__(self) -> int:
        return len(self.asked)


@dataclass(frozen=True, eq=False)
class PairNet:
    """The weights of a network."""

    ordered: bool
    weights: dict[str, Array]

    def vectors(self, names: csr_matrix) -> Array:
        """The vectors that the hidden layer reads, of names by their features."""
        return np.asarray(np.tanh(np.asarray(names @ self.weights["embed"])))

    def probability(self, first: Array, second: Array, together: Array) -> Array:
        """How sure it is that names exclude each other, of rows of vectors."""
        read = np.concatenate([*_read(first, second, ordered=self.ordered), together], axis=1)
        hidden = np.maximum(read @ self.weights["read"] + self.weights["bias"], 0)
        return _sigmoid(hidden @ self.weights["out"] + self.weights["out_bias"])


def fit_pair_net(
    names: csr_matrix, pairs: Pairs, *, ordered: bool, seed: int, tell: Callable[[int], None] | None = None
) -> PairNet:
    """A network fitted on pairs of names, whose features are rows; both answers weigh the same."""
    draws = np.random.default_rng(seed)
    net = PairNet(ordered, _start(names.shape[1], pairs.together.shape[1], ordered, draws))
    moments = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in net.weights.items()}
    weigh = _balance(pairs.labels)
    for step in range(1, STEPS + 1):
        kept = (draws.random((names.shape[0], WIDTH)) >= DROPPED) / (1 - DROPPED)
        gradients = _gradients(net, names, pairs, weigh, kept)
        for name, value in net.weights.items():
            gradient = gradients[name] + DECAY * value
            first, second = moments[name]
            first += (1 - _FIRST) * (gradient - first)
            second += (1 - _SECOND) * (gradient * gradient - second)
            scaled = first / (1 - _FIRST**step) / (np.sqrt(second / (1 - _SECOND**step)) + _SMALL)
            value -= RATE * (1 - step / (STEPS + 1)) * scaled
        if tell is not None:
            tell(step)
    return net


def _start(features: int, together: int, ordered: bool, draws: np.random.Generator) -> dict[str, Array]:
    read = WIDTH * (4 if ordered else 3) + together
    return {
        "embed": draws.normal(0, 1 / np.sqrt(WIDTH), (features, WIDTH)),
        "read": draws.normal(0, np.sqrt(2 / read), (read, HIDDEN)),
        "bias": np.zeros(HIDDEN),
        "out": draws.normal(0, np.sqrt(1 / HIDDEN), HIDDEN),
        "out_bias": np.zeros(1),
    }


def _read(first: Array, second: Array, *, ordered: bool) -> list[Array]:
    if ordered:
        return [first, second, first * second, first - second]
    return [first + second, first * second, (first - second) ** 2]


def _gradients(net: PairNet, names: csr_matrix, pairs: Pairs, weigh: Array, kept: Array) -> dict[str, Array]:
    """The gradients of the mean cross-entropy."""
    weights = net.weights
    whole = net.vectors(names)
    vectors = whole * kept
    first, second = vectors[pairs.asked], vectors[pairs.seen]
    read = np.concatenate([*_read(first, second, ordered=net.ordered), pairs.together], axis=1)
    before = read @ weights["read"] + weights["bias"]
    hidden = np.maximum(before, 0)
    wrong = (_sigmoid(hidden @ weights["out"] + weights["out_bias"]) - pairs.labels) * weigh
    at_hidden = np.outer(wrong, weights["out"]) * (before > 0)
    at_read = at_hidden @ weights["read"].T
    at_first, at_second = _back(at_read, first, second, ordered=net.ordered)
    at_vectors = np.zeros_like(vectors)
    np.add.at(at_vectors, pairs.asked, at_first)
    np.add.at(at_vectors, pairs.seen, at_second)
    return {
        "embed": np.asarray(names.T @ (at_vectors * kept * (1 - whole**2))),
        "read": read.T @ at_hidden,
        "bias": at_hidden.sum(axis=0),
        "out": hidden.T @ wrong,
        "out_bias": np.array([wrong.sum()]),
    }


def _back(at_read: Array, first: Array, second: Array, *, ordered: bool) -> tuple[Array, Array]:
    """The gradients at the two vectors."""
    pieces = [at_read[:, at * WIDTH : (at + 1) * WIDTH] for at in range(4 if ordered else 3)]
    if ordered:
        alone, other, product, apart = pieces
        return alone + product * second + apart, other + product * first - apart
    both, product, apart = pieces
    away = 2 * apart * (first - second)
    return both + product * second + away, both + product * first - away


def _balance(labels: Array) -> Array:
    """Weights of pairs that sum to 1, by which both answers weigh the same."""
    yes = labels.sum()
    no = len(labels) - yes
    if not yes or not no:
        return np.full(len(labels), 1 / len(labels))
    return np.asarray(np.where(labels > 0, 0.5 / yes, 0.5 / no))


def _sigmoid(values: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -60, 60))))
