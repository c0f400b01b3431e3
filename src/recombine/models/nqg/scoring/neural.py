"""The neural scorer: anchored rules scored from encodings of the source (NQG-T5 paper, §4.1.2, App. A.3).

A derivation's score is the sum of φ(r, i, j, x) over its anchored rules (see `span_scorer`), to which the features of
the log-linear scorer can be added. Training (see `scorer_training`) maximises the marginal likelihood of the targets
exactly, over all derivations, as the log-linear scorer's does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch

from recombine.models.nqg.forest.forest_kernels import Packed, Scores, feature_keys, link_starts
from recombine.models.nqg.scoring import loglinear
from recombine.models.nqg.scoring.forest_torch import Indexed, batch
from recombine.models.nqg.scoring.level_sums import Levelled, LevelSums
from recombine.models.nqg.scoring.loglinear import LogLinear, join
from recombine.models.nqg.scoring.scorer_training import Material, find_device, train_network
from recombine.models.nqg.scoring.span_scorer import Anchors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from recombine.models.nqg.forest.forest_kernels import Around
    from recombine.models.nqg.rule import QcfgRule
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings
    from recombine.models.nqg.scoring.scorer_training import Kept, ScorerTraining, Step
    from recombine.models.nqg.scoring.span_scorer import SpanScorer


@dataclass(frozen=True)
class Neural:
    """A trained network and the log-linear terms beside it, whose weights are all 0 where there are none."""

    settings: NeuralSettings
    network: SpanScorer
    terms: LogLinear

    def scores(self, forest: Packed, source: Sequence[str]) -> Scores:
        """The scores of the parts of the forest of a source."""
        scores = self.terms.scores(forest, source)
        anchors = Anchors.of(forest, self.terms.rules.size)
        self.network.eval()
        with torch.inference_mode():
            anchored = self.network([self.network.encoder.read(source)], [anchors])
        return scores._replace(node=scores.node + anchored.cpu().double().numpy()[anchors.node])


@dataclass(frozen=True)
class Prepared:
    """What a scorer learns from, and what its weights of features are of."""

    material: Material
    indexed: Sequence[Indexed]
    around: Around
    keys: NDArray[np.int64]

    def terms(self, training: ScorerTraining) -> LogLinear:
        """The log-linear terms as they are now."""
        rules, features = (part.detach().cpu().numpy().copy() for part in (training.rules, training.features))
        return LogLinear(self.around, rules, self.keys, features[1:])


def prepare(
    rules: Sequence[QcfgRule],
    sources: Sequence[Sequence[str]],
    forests: Sequence[tuple[Packed, Packed]],
    settings: NeuralSettings,
    *,
    terms: LogLinear | None = None,
    weights: Sequence[float] | None = None,
    prior: float = 1.0,
    centre: Sequence[float] | None = None,
    device: str = "cpu",
) -> Prepared:
    """What a scorer learns from: for each source its forest with any target and with its own.

    The weights of features start from those of `terms`, or from their prior: Gaussian with precision `prior`, centred
    at 0, or for those of rules at `centre`. Where there are no features, `centre` is added to the scores as it is. Sums
    are compiled ones on a CPU, and torch's own elsewhere.
    """
    start = terms or loglinear.train(rules, [], centre=centre)
    keys, indexed, anchors = index(forests, start, settings.features)
    features = np.zeros(keys.size + 1)
    features[1 + np.searchsorted(keys, start.keys)] = start.weights
    compiled = find_device(device).type == "cpu"
    material = Material(
        sources,
        anchors,
        indexed if compiled else [Levelled.of(each) for each in indexed],
        batch if compiled else partial(LevelSums.of, device=device),
        start.rules,
        features,
        np.ones(len(sources)) if weights is None else np.asarray(weights, np.float64),
        prior,
        np.zeros(len(rules)) if centre is None else np.asarray(centre, np.float64),
    )
    return Prepared(material, indexed, start.around, keys)


def fit(
    prepared: Prepared,
    settings: NeuralSettings,
    *,
    seed: int = 0,
    device: str = "cpu",
    progress: Callable[[Step], None] | None = None,
    kept: Kept | None = None,
) -> Neural:
    """The scorer that learned from what was prepared."""
    training = train_network(prepared.material, settings, seed=seed, device=device, progress=progress, kept=kept)
    return Neural(settings, training.network, prepared.terms(training))


def index(
    pairs: Sequence[tuple[Packed, Packed]], terms: LogLinear, features: Sequence[str]
) -> tuple[NDArray[np.int64], list[Indexed], list[Anchors]]:
    """The keys of all features, and each example's forests and anchored rules."""
    n_rules = terms.rules.size
    forests = [join(pair) for pair in pairs]
    anchors = [Anchors.of(forest, n_rules) for forest in forests]
    keyed = [feature_keys(forest, link_starts(forest), terms.around, n_rules) for forest in forests]
    kinds = [kind for name in features for kind in loglinear.KINDS[name]]
    columns = [kind for kind in kinds if kind < 5]  # the features of links are in the order of their kinds
    links = [links[:, columns] for links, _ in keyed]
    edges = [edges if 5 in kinds else np.full_like(edges, -1) for _, edges in keyed]
    keys = np.unique(np.concatenate([np.empty(0, np.int64), *(part.ravel() for part in (*links, *edges))]))
    keys = keys[keys >= 0]
    # The place of a key, counted from 1; -1, no feature, is before all of them and so has place 0.
    indexed = [
        Indexed(
            forest,
            anchor.node,
            np.searchsorted(keys, link, side="right"),
            np.searchsorted(keys, edge, side="right"),
            anchor.rule.size,
        )
        for forest, anchor, link, edge in zip(forests, anchors, links, edges, strict=True)
    ]
    return keys, indexed, anchors
