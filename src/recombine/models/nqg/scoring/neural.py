"""The neural scorer: anchored rules scored from encodings of the source (NQG-T5 paper, §4.1.2, App. A.3).

A derivation's score is the sum of φ(r, i, j, x) over its anchored rules (see `span_scorer`), to which the features of
the log-linear scorer can be added. Training maximises the marginal likelihood of the targets exactly, over all
derivations, as the log-linear scorer's does. Same seed, same weights on one platform; on a GPU up to rounding.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from recombine.errors import OptionError
from recombine.models.nqg.forest.forest_kernels import Packed, Scores, feature_keys, link_starts
from recombine.models.nqg.scoring import loglinear
from recombine.models.nqg.scoring.encoders import PretrainedEncoder, SmallEncoder
from recombine.models.nqg.scoring.forest_torch import Indexed, batch
from recombine.models.nqg.scoring.loglinear import LogLinear, join
from recombine.models.nqg.scoring.span_scorer import Anchors, SpanScorer
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.nqg.rule import QcfgRule
    from recombine.models.nqg.scoring.encoders import Reading
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings

WARM_UP = 0.1
"""The share of the steps over which the learning rate rises."""
CLIP = 1.0
"""The norm that the gradient of the network is cut down to."""


class Step(NamedTuple):
    """How far training is."""

    step: int
    """Steps done."""
    steps: int
    loss: float
    """The mean negative log-likelihood of the targets of the last batch."""


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


def make_network(
    settings: NeuralSettings, n_rules: int, words: Sequence[str], encoder: PretrainedEncoder | None = None
) -> SpanScorer:
    """A network with fresh weights; a pretrained encoder is read from its directory unless it is given."""
    if settings.encoder and encoder is None:
        encoder = PretrainedEncoder.load(settings.encoder)
    return SpanScorer(settings, encoder or SmallEncoder(settings, words), n_rules)


def train(
    rules: Sequence[QcfgRule],
    sources: Sequence[Sequence[str]],
    forests: Sequence[tuple[Packed, Packed]],
    settings: NeuralSettings,
    *,
    terms: LogLinear | None = None,
    weights: Sequence[float] | None = None,
    prior: float = 1.0,
    centre: Sequence[float] | None = None,
    seed: int = 0,
    device: str = "cpu",
    progress: Callable[[Step], None] | None = None,
) -> Neural:
    """The scorer trained on sources, given for each its forest with any target and with its own.

    The weights of features start from those of `terms`, or from their prior: Gaussian with precision `prior`, centred
    at 0, or for those of rules at `centre`. Where there are no features, `centre` is added to the scores as it is.
    """
    start = terms or loglinear.train(rules, [], centre=centre)
    with _seeded(seed, device) as place:
        words = sorted({word for source in sources for word in source})
        network = make_network(settings, len(rules), words).to(place)
        if not forests:
            return Neural(settings, network.eval(), start)
        training = Training(network, start, sources, forests, settings)
        training.weigh(weights, prior, centre)
        generator = make_generator(seed)
        for step, chosen in enumerate(_batches(len(forests), settings, generator), start=1):
            loss = training.step(chosen, _rate(step, settings))
            if progress is not None:
                progress(Step(step, settings.steps, loss))
        return Neural(settings, network.eval(), training.trained_terms())


def find_device(name: str) -> torch.device:
    """The device of a name; one that this machine lacks is refused."""
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise OptionError(f"the device {name!r} cannot be used ({str(error).splitlines()[0]})", "use cpu") from error
    return device


@contextmanager
def _seeded(seed: int, device: str) -> Iterator[torch.device]:
    """Let torch's own draws follow from a seed, and put its generators back afterwards."""
    place = find_device(device)
    devices = [torch.cuda.current_device() if place.index is None else place.index] if place.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        yield place


def _rate(step: int, settings: NeuralSettings) -> float:
    """The learning rate of a step, counted from 1."""
    rising = max(1, round(WARM_UP * settings.steps))
    return settings.rate * min(step / rising, (settings.steps + 1 - step) / (settings.steps + 1 - rising))


def _batches(size: int, settings: NeuralSettings, generator: np.random.Generator) -> Iterator[tuple[int, ...]]:
    """The examples of each step: all in a new order each time round; all of them at once where they are few."""
    if size <= settings.batch:
        yield from [tuple(range(size))] * settings.steps
        return
    waiting: list[int] = []
    for _ in range(settings.steps):
        while len(waiting) < settings.batch:
            waiting += generator.permutation(size).tolist()
        chosen, waiting = waiting[: settings.batch], waiting[settings.batch :]
        yield tuple(sorted(set(chosen)))


class Training:
    """What training keeps from step to step."""

    def __init__(
        self,
        network: SpanScorer,
        terms: LogLinear,
        sources: Sequence[Sequence[str]],
        forests: Sequence[tuple[Packed, Packed]],
        settings: NeuralSettings,
    ) -> None:
        self.network, self.around = network, terms.around
        self.joint = bool(settings.features)
        self.readings: list[Reading] = [network.encoder.read(source) for source in sources]
        self.keys, self.indexed, self.anchors = index(forests, terms, settings.features)
        self.rules = self._tensor(terms.rules).requires_grad_(self.joint)
        features = np.zeros(self.keys.size + 1)
        features[1 + np.searchsorted(self.keys, terms.keys)] = terms.weights
        self.features = self._tensor(features).requires_grad_(self.joint)
        groups = [{"params": list(network.parameters()), "weight_decay": settings.decay}]
        if self.joint:
            groups.append({"params": [self.rules, self.features], "weight_decay": 0.0})
        self.optimiser = torch.optim.AdamW(groups, lr=settings.rate)
        self._last: tuple[tuple[int, ...], Indexed] | None = None
        self.weigh(None, 1.0, None)

    def weigh(self, weights: Sequence[float] | None, prior: float, centre: Sequence[float] | None) -> None:
        """Say how much each example counts, and what the prior on the weights of features is."""
        self.weight = self._tensor(np.ones(len(self.indexed)) if weights is None else np.asarray(weights, np.float64))
        self.prior = prior
        self.centre = self._tensor(np.zeros(self.rules.numel()) if centre is None else np.asarray(centre, np.float64))

    def _tensor(self, values: NDArray[np.float64]) -> Tensor:
        return torch.tensor(values, dtype=torch.float64, device=self.network.device)

    def likelihood(self, chosen: tuple[int, ...]) -> Tensor:
        """The mean log-likelihood of the targets of some examples."""
        if self._last is None or self._last[0] != chosen:
            self._last = chosen, batch([self.indexed[k] for k in chosen])
        nodes = self.network([self.readings[k] for k in chosen], [self.anchors[k] for k in chosen])
        every, own = self._last[1].log_sums(nodes, self.rules, self.features).view(-1, 2).unbind(dim=1)
        weight = self.weight[list(chosen)]
        return (weight * (own - every)).sum() / weight.sum()

    def penalty(self) -> Tensor:
        """What the prior takes off the mean log-likelihood."""
        squares = (self.rules - self.centre).square().sum() + self.features.square().sum()
        return 0.5 * self.prior * squares / self.weight.sum()

    def step(self, chosen: tuple[int, ...], rate: float) -> float:
        """Train on some examples, and return what was lost on them."""
        self.network.train()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss = -self.likelihood(chosen)
        (loss + self.penalty() if self.joint else loss).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimiser.step()
        return float(loss.detach())

    def trained_terms(self) -> LogLinear:
        """The log-linear terms as they are now."""
        rules, features = (part.detach().cpu().numpy().copy() for part in (self.rules, self.features))
        return LogLinear(self.around, rules, self.keys, features[1:])


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
    keys = np.unique(np.concatenate([part.ravel() for part in (*links, *edges)]))
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
