"""The training of the neural scorer: steps, rates, and a file from which it goes on (NQG-T5 paper, App. A.3 and B.1).

It maximises the marginal likelihood of targets, given for each source the log-sums of its two forests, with any target
and with its own. What computes these sums is up to who gives them: this needs neither numba nor a grammar, so that it
runs where there is torch alone. Same seed, same weights on one platform, also after a kill; on a GPU up to rounding.
"""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import torch

from recombine.errors import InputFileError, OptionError
from recombine.models.nqg.scoring.encoders import PretrainedEncoder, SmallEncoder
from recombine.models.nqg.scoring.span_scorer import SpanScorer
from recombine.models.pretrained.local_checkpoint import checkpoint_digest
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.nqg.scoring.encoders import Reading
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings
    from recombine.models.nqg.scoring.span_scorer import Anchors

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


class Sums(Protocol):
    """The log-sums of forests, two for each source: with any target, and with its own."""

    def log_sums(self, nodes: Tensor, rules: Tensor, features: Tensor) -> Tensor:
        """The log-sum of each forest, given scores of anchored rules, of rules and of features."""


@dataclass(frozen=True)
class Material:
    """What a scorer learns from: sources with their anchored rules and forests, and the weights that it starts from."""

    sources: Sequence[Sequence[str]]
    anchors: Sequence[Anchors]
    parts: Sequence[Any]
    """The forests of each source, of which `batch` makes sums."""
    batch: Callable[[Sequence[Any]], Sums]
    rules: NDArray[np.float64]
    """The weights of rules at the start; where there are features, they are trained."""
    features: NDArray[np.float64]
    """Those of features, of which the first is none and stays 0."""
    weights: NDArray[np.float64]
    """How much each source counts."""
    prior: float
    """The precision of the prior on the weights of rules and features."""
    centre: NDArray[np.float64]
    """Where that of rules is centred."""

    def digest(self) -> str:
        """What tells it from another."""
        made = hashlib.blake2b(json.dumps([list(source) for source in self.sources]).encode(), digest_size=16)
        for part in (self.rules, self.features, self.weights, self.centre, np.array([self.prior])):
            made.update(np.ascontiguousarray(part, np.float64).tobytes())
        for anchor in self.anchors:
            made.update(np.ascontiguousarray(anchor.rule, np.int64).tobytes())
        return made.hexdigest()


@dataclass(frozen=True)
class Kept:
    """The file that a training goes on from, and how often it is written."""

    file: Path
    seconds: float = 20.0
    stepped: Callable[[int], None] = lambda step: None  # noqa: ARG005
    """Called after each step, with its number."""


def make_network(
    settings: NeuralSettings, n_rules: int, words: Sequence[str], encoder: PretrainedEncoder | None = None
) -> SpanScorer:
    """A network with fresh weights; a pretrained encoder is read from its directory unless it is given."""
    if settings.encoder and encoder is None:
        encoder = PretrainedEncoder.load(settings.encoder)
    return SpanScorer(settings, encoder or SmallEncoder(settings, words), n_rules)


def train_network(
    material: Material,
    settings: NeuralSettings,
    *,
    seed: int = 0,
    device: str = "cpu",
    progress: Callable[[Step], None] | None = None,
    kept: Kept | None = None,
) -> ScorerTraining:
    """A training after its last step, from a file where one is kept."""
    with seeded(seed, device) as place:
        words = sorted({word for source in material.sources for word in source})
        network = make_network(settings, material.rules.size, words).to(place)
        training = ScorerTraining(network, material, settings)
        if material.sources:
            training.run(seed, progress, kept)
        network.eval()
        return training


def find_device(name: str) -> torch.device:
    """The device of a name; one that this machine lacks is refused."""
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise OptionError(f"the device {name!r} cannot be used ({str(error).splitlines()[0]})", "use cpu") from error
    return device


@contextmanager
def seeded(seed: int, device: str) -> Iterator[torch.device]:
    """Let torch's own draws follow from a seed, and put its generators back afterwards."""
    place = find_device(device)
    devices = [torch.cuda.current_device() if place.index is None else place.index] if place.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        yield place


def rate_at(step: int, settings: NeuralSettings) -> float:
    """The learning rate of a step, counted from 1."""
    rising = max(1, round(WARM_UP * settings.steps))
    return settings.rate * min(step / rising, (settings.steps + 1 - step) / (settings.steps + 1 - rising))


def batches(size: int, settings: NeuralSettings, generator: np.random.Generator) -> Iterator[tuple[int, ...]]:
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


class ScorerTraining:
    """What training keeps from step to step."""

    def __init__(self, network: SpanScorer, material: Material, settings: NeuralSettings) -> None:
        self.network, self.material, self.settings = network, material, settings
        self.joint = bool(settings.features)
        self.readings: list[Reading] = [network.encoder.read(source) for source in material.sources]
        self.anchors = material.anchors
        self.rules = self._tensor(material.rules).requires_grad_(self.joint)
        self.features = self._tensor(material.features).requires_grad_(self.joint)
        self.weight, self.centre = self._tensor(material.weights), self._tensor(material.centre)
        self.prior = material.prior
        groups = [{"params": list(network.parameters()), "weight_decay": settings.decay}]
        if self.joint:
            groups.append({"params": [self.rules, self.features], "weight_decay": 0.0})
        self.optimiser = torch.optim.AdamW(groups, lr=settings.rate)
        self._last: tuple[tuple[int, ...], Sums] | None = None

    def _tensor(self, values: NDArray[np.float64]) -> Tensor:
        return torch.tensor(values, dtype=torch.float64, device=self.network.device)

    # -- steps ----------------------------------------------------------------------------------------------------

    def run(self, seed: int, progress: Callable[[Step], None] | None = None, kept: Kept | None = None) -> None:
        """Train to the last step, from a file where there is one."""
        settings = self.settings
        done = self.load(kept.file, seed) if kept is not None and kept.file.exists() else 0
        last = time.monotonic()
        for step, chosen in enumerate(batches(len(self.readings), settings, make_generator(seed)), start=1):
            if step <= done:
                continue
            loss = self.step(chosen, rate_at(step, settings))
            if progress is not None:
                progress(Step(step, settings.steps, loss))
            if kept is not None and time.monotonic() - last >= kept.seconds:
                self.save(kept.file, seed, step)
                last = time.monotonic()
            if kept is not None:
                kept.stepped(step)

    def likelihood(self, chosen: tuple[int, ...]) -> Tensor:
        """The mean log-likelihood of the targets of some examples."""
        if self._last is None or self._last[0] != chosen:
            self._last = chosen, self.material.batch([self.material.parts[k] for k in chosen])
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

    # -- the file -------------------------------------------------------------------------------------------------

    def save(self, path: Path, seed: int, step: int) -> None:
        """Write all that is needed to go on after a step, whole or not at all."""
        tensors = {}
        for name, part in self._trained():
            tensors[f"weight/{name}"] = part
            for key, value in self.optimiser.state[part].items():
                tensors[f"state/{key}/{name}"] = value
        tensors |= {f"random/{name}": state.to(torch.int32) for name, state in self._random().items()}
        save_checkpoint(path, tensors, {"step": str(step), "identity": self._identity(seed)})

    def load(self, path: Path, seed: int) -> int:
        """Take up what `save` wrote; the step that it was written after."""
        tensors, said = load_checkpoint(path)
        if said.get("identity") != self._identity(seed):
            raise InputFileError(f"{path}: is of another training", "remove it, or train with the same settings")
        parts = dict(self._trained())
        with torch.no_grad():
            for name, value in tensors.items():
                what, _, rest = name.partition("/")
                if what == "weight":
                    parts[rest].copy_(value)
                elif what == "state":
                    key, _, rest = rest.partition("/")
                    # The count of steps stays where the optimiser makes it: on the CPU.
                    place = torch.device("cpu") if key == "step" else parts[rest].device
                    self.optimiser.state[parts[rest]][key] = value.to(place)
        torch.set_rng_state(tensors["random/cpu"].to(torch.uint8))
        if "random/cuda" in tensors and self.network.device.type == "cuda":
            torch.cuda.set_rng_state(tensors["random/cuda"].to(torch.uint8), self.network.device)
        return int(said["step"])

    def _trained(self) -> list[tuple[str, Tensor]]:
        """All weights that are trained, by name."""
        terms = [("terms.rules", self.rules), ("terms.features", self.features)] if self.joint else []
        return [*((f"network.{name}", part) for name, part in self.network.named_parameters()), *terms]

    def _random(self) -> dict[str, Tensor]:
        """The states of torch's generators."""
        cuda = self.network.device.type == "cuda"
        on_device = {"cuda": torch.cuda.get_rng_state(self.network.device)} if cuda else {}
        return {"cpu": torch.get_rng_state(), **on_device}

    def _identity(self, seed: int) -> str:
        """What must be the same when a training goes on: of an encoder its files, not their place."""
        encoder = checkpoint_digest(self.settings.encoder) if self.settings.encoder else ""
        said = {**asdict(self.settings), "encoder": encoder}
        text = json.dumps([said, seed, self.network.device.type, self.material.digest()])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
