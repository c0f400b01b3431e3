"""The log-linear scorer: weights for rules, for rules below rules, and for what meets at the borders of slots.

A derivation's score is the sum of the weights of its features, and its probability among all derivations of its source
goes with the exponential of that. The features are

- each rule;
- `pairs`: each (rule, slot, rule in the slot);
- `shapes`: the same with the source of one of the rules reduced to its shape, which slots and tokens it has in which
  order: what is known of one rule helps with another like it;
- `borders`: at each slot, the two target symbols left of it with the first token that fills it, the symbol right of it
  with the last token that fills it, and, where two slots are at most one token apart, the tokens that meet there.

Borders see through rules that add no target of their own, which pairs do not. Training maximises the probability of the
targets, each summed over all its derivations: exact maximum marginal likelihood, by inside and outside sums over
forests (NQG-T5 paper, §4.1.2), with a Gaussian prior on the weights. Start and order are fixed: nothing is random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from recombine.models.nqg.forest.forest_kernels import (
    Around,
    Packed,
    Scores,
    feature_keys,
    inside,
    link_starts,
    outside,
)
from recombine.models.nqg.nqg_options import FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.nqg.rule import QcfgRule, Symbol

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Name = TypeVar("Name")
KINDS = {"pairs": (0,), "shapes": (1, 2), "borders": (3, 4, 5)}


def surroundings(rules: Sequence[QcfgRule]) -> Around:
    """What stands around the slots of these rules."""
    names: dict[tuple[Symbol | None, ...], int] = {}
    left, right = np.full(2 * len(rules) + 1, -1, np.int64), np.full(2 * len(rules) + 1, -1, np.int64)
    between, shape = np.full((len(rules), 2), -1, np.int64), np.zeros(len(rules) + 1, np.int64)
    shapes: dict[tuple[bool, ...], int] = {(): 0}
    for number, rule in enumerate(rules):
        # Slots look alike here: which of the two is on the left is left out.
        plain = tuple(0 if isinstance(symbol, int) else symbol for symbol in rule.target)
        places = [rule.target.index(slot) for slot in range(1, rule.arity + 1)]
        for slot, at in enumerate(places):
            if at > 0:
                left[2 * number + slot] = _number(names, plain[max(at - 2, 0) : at])
            if at + 1 < len(plain):
                right[2 * number + slot] = _number(names, plain[at + 1 : at + 2])
        if rule.arity == 2 and abs(places[0] - places[1]) < 3:
            between[number] = _number(names, plain[min(places) + 1 : max(places)]), int(places[0] > places[1])
        shape[number] = _number(shapes, tuple(isinstance(symbol, int) for symbol in rule.source))
    left[-1] = right[-1] = _number(names, (None,))
    return Around(left, right, between, shape)


def _number(names: dict[Name, int], name: Name) -> int:
    return names.setdefault(name, len(names))


@dataclass(frozen=True)
class LogLinear:
    """Weights of rules, and of other features by key; a feature without a key weighs nothing."""

    around: Around
    rules: Floats
    keys: Ints
    weights: Floats

    def scores(self, forest: Packed, source: Sequence[str]) -> Scores:  # noqa: ARG002  # others look at the words
        """The scores of the parts of a forest."""
        starts = link_starts(forest)
        links, edges = feature_keys(forest, starts, self.around, self.rules.size)
        return Scores(self.rules[forest.rule], self._look_up(edges), starts, self._look_up(links).sum(axis=1))

    def _look_up(self, keys: Ints) -> Floats:
        if not self.keys.size:
            return np.zeros(keys.shape)
        at = np.searchsorted(self.keys, keys)
        at[at == self.keys.size] = 0
        return np.where(self.keys[at] == keys, self.weights[at], 0.0)


def train(
    rules: Sequence[QcfgRule],
    forests: Sequence[tuple[Packed, Packed]],
    *,
    weights: Sequence[float] | None = None,
    features: Sequence[str] = FEATURES,
    prior: float = 1.0,
    steps: int = 200,
    centre: Sequence[float] | None = None,
) -> LogLinear:
    """The weights that maximise the likelihood, given for each example its forest with any target and with its own.

    The prior of all weights is centred at 0, or, for those of rules, at `centre`.
    """
    from scipy.optimize import minimize

    middle = np.zeros(len(rules)) if centre is None else np.asarray(centre, np.float64)
    if not forests:
        return LogLinear(surroundings(rules), middle, np.empty(0, np.int64), np.empty(0))
    forest = join([part for pair in forests for part in pair])
    around, n_rules = surroundings(rules), len(rules)
    starts = link_starts(forest)
    links, edges = feature_keys(forest, starts, around, n_rules)
    every = np.concatenate([links.ravel(), edges])
    every[~np.isin(every % 8, [kind for name in features for kind in KINDS[name]])] = -1
    keys, at = np.unique(every, return_inverse=True)
    absent = int(keys[0] == -1)  # the first weight stands for no feature and stays 0
    link_at, edge_at = at[: links.size].reshape(links.shape), at[links.size :]
    amount = np.ones(len(forests)) if weights is None else np.asarray(weights, np.float64)
    # The forest with any target counts against, the one with the example's own target counts for.
    sign = np.stack([amount, -amount], axis=1).ravel()

    def loss(theta: Floats) -> tuple[float, Floats]:
        feature_weights = theta[n_rules:].copy()
        feature_weights[:absent] = 0.0
        scores = Scores(theta[forest.rule], feature_weights[edge_at], starts, feature_weights[link_at].sum(axis=1))
        node_in, port_in, total = inside(forest, scores)
        node_use, edge_use, link_use = outside(forest, scores, node_in, port_in, total, sign)
        gradient = prior * (theta - start)
        gradient[:n_rules] += np.bincount(forest.rule, node_use, n_rules)
        gradient[n_rules:] += np.bincount(edge_at, edge_use, keys.size)
        for column in range(link_at.shape[1]):
            gradient[n_rules:] += np.bincount(link_at[:, column], link_use, keys.size)
        gradient[n_rules : n_rules + absent] = 0.0
        return float(sign @ total + 0.5 * prior * ((theta - start) ** 2).sum()), gradient

    start = np.concatenate([middle, np.zeros(keys.size)])
    theta = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxfun": 4 * steps}).x
    return LogLinear(around, theta[:n_rules], keys[absent:], theta[n_rules + absent :])


def join(forests: Sequence[Packed]) -> Packed:
    """Several forests as one."""
    sizes = {"node": 0, "edge": 0, "port": 0, "root": 0}
    rows: dict[str, list[NDArray[np.int64]]] = {name: [] for name in Packed._fields}
    for forest in forests:
        rows["node_at"].append(forest.node_at[1:] + sizes["node"])
        rows["rule"].append(forest.rule)
        rows["edge_at"].append(forest.edge_at[1:] + sizes["edge"])
        rows["edges"].append(np.where(forest.edges >= 0, forest.edges + sizes["port"], -1))
        rows["port_at"].append(forest.port_at[1:] + sizes["port"])
        rows["key"].append(forest.key)
        rows["root_at"].append(forest.root_at[1:] + sizes["root"])
        rows["root"].append(forest.root + sizes["port"])
        rows["span"].append(forest.span)
        sizes["node"] += forest.rule.size
        sizes["edge"] += forest.edges.shape[0]
        sizes["port"] += forest.key.size
        sizes["root"] += forest.root.size
    for name in ("node_at", "edge_at", "port_at", "root_at"):
        rows[name].insert(0, np.zeros(1, np.int64))
    return Packed(**{name: np.concatenate(parts) for name, parts in rows.items()})
