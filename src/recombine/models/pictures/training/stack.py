"""K replicas in training together: one stacked model, one pass of the optimiser, one CUDA graph.

A replica is its rows and its seed; its batches and initial weights follow from these alone, and no operation mixes
replicas, so that its result does not depend on its companions beyond rounding. On a GPU a step is one replay of a
graph: the host uploads the rows of the next steps now and then. On a CPU the same is computed step by step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from torch import Tensor

from recombine.errors import OptionError
from recombine.models.pictures.training.deck import Deck
from recombine.models.pictures.training.schedule import Adam, Schedule
from recombine.models.seq2seq.architectures.parameters import Parameter, Parameters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

CHUNK = 128
"""Steps whose rows are uploaded at once."""


@dataclass(frozen=True)
class Replica:
    """One model to train: rows of the stage's examples, and its seed."""

    name: str
    seed: int
    train: Ints
    dev: Ints


class Program(Protocol):
    """What a stage computes, over tables that lie on the device."""

    def pair_of(self, rows: Ints) -> Ints | None:
        """Which of the rows are twins: these have one number; none where there are no twins at all."""
        ...

    def parameters(self) -> list[Parameter]:
        """The weights of one replica."""
        ...

    def loss(self, weights: Mapping[str, Tensor], rows: Tensor) -> Tensor:
        """The loss of each replica (K,) on its rows (K, B)."""
        ...

    def measure(self, weights: Mapping[str, Tensor], rows: Sequence[Ints]) -> list[float]:
        """How good each replica is on its rows, more being better."""
        ...


class Stack:
    """K replicas of one stage on one device."""

    def __init__(
        self,
        program: Program,
        schedule: Schedule,
        replicas: Sequence[Replica],
        *,
        device: str = "cpu",
        start: Mapping[str, Tensor] | None = None,
        graphs: bool = True,
    ) -> None:
        if not replicas:
            raise OptionError("a stack without replicas", "give at least one")
        self.program, self.schedule, self.replicas = program, schedule, tuple(replicas)
        self.device = torch.device(device)
        dtype = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        seeds = [replica.seed for replica in replicas]
        self.parameters = Parameters(program.parameters(), seeds, device=self.device, dtype=dtype)
        if start:
            self._begin_from(start)
        self.optimiser = Adam(schedule, self.parameters)
        self._decks = [Deck(each.train, program.pair_of(each.train), each.seed) for each in replicas]
        self._rows = torch.zeros(CHUNK, len(replicas), schedule.batch, dtype=torch.int64, device=self.device)
        self._uploaded = range(0)
        self._start = torch.zeros(1, dtype=torch.int64, device=self.device)
        self._step = torch.zeros(1, dtype=torch.int64, device=self.device)
        self.step = 0
        self.losses = torch.zeros(len(replicas), device=self.device)
        """The sum of each replica's losses since they were last read."""
        self._counted = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._use_graph = graphs and self.device.type == "cuda"

    def _begin_from(self, start: Mapping[str, Tensor]) -> None:
        """Take over weights of another stage by name (1, …) or (K, …); those it does not have start by the seed."""
        flat = self.parameters.flat.clone()
        for parameter in self.parameters.parameters:
            if parameter.name in start:
                given = start[parameter.name].to(flat)
                if given.shape[1:] != parameter.shape:
                    raise OptionError(
                        f"the weights {parameter.name} have the shape {tuple(given.shape[1:])}, not {parameter.shape}",
                        "train the stages before with the same settings and the same vocabulary",
                    )
                flat[:, self.parameters.places[parameter.name]] = given.reshape(len(given), -1)
        self.parameters.load(flat)

    # -- steps ----------------------------------------------------------------------------------------------------

    def train(self, until: int) -> None:
        """Train up to this step."""
        while self.step < until:
            if self.step not in self._uploaded:
                self._upload()
            if self._use_graph:
                if self._graph is None:
                    self._capture()
                self._graph.replay()  # type: ignore[union-attr]
            else:
                self._compute()
            self.step += 1
            self._counted += 1

    def _upload(self) -> None:
        """The rows of the steps from this one on."""
        half = self.schedule.batch // 2
        dealt = np.stack([deck.deal(self.step * half, CHUNK * half).reshape(CHUNK, -1) for deck in self._decks], 1)
        self._rows.copy_(torch.from_numpy(dealt))
        self._start.fill_(self.step)
        self._uploaded = range(self.step, self.step + CHUNK)

    def _compute(self) -> None:
        """One step of all replicas."""
        rows = self._rows.index_select(0, self._step - self._start)[0]
        loss = self.program.loss(self.parameters.weights, rows)
        self.parameters.backward(loss.sum())
        self._step += 1
        self.optimiser.update(self._step)
        self.losses += loss.detach()

    def _capture(self) -> None:
        """Record one step as a graph; the state is as before afterwards."""
        state = [self.parameters.flat, self.parameters.used, self.optimiser.first, self.optimiser.second]
        state += [self._step, self.losses]
        saved = [tensor.clone() for tensor in state]
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self._compute()
                self._step.copy_(saved[-2])
        torch.cuda.current_stream().wait_stream(stream)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._compute()
        for tensor, value in zip(state, saved, strict=True):
            tensor.copy_(value)

    def take_losses(self) -> list[float]:
        """The mean loss of each replica since the last call."""
        means = (self.losses / max(1, self._counted)).tolist()
        self.losses.zero_()
        self._counted = 0
        return [float(mean) for mean in means]

    # -- state ----------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Tensor]:
        """What a checkpoint holds."""
        return {
            "weights": self.parameters.flat,
            "first": self.optimiser.first,
            "second": self.optimiser.second,
            "step": self._step,
            "losses": self.losses,
            "counted": torch.tensor([self._counted]),
        }

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Go on from a checkpoint."""
        if state["weights"].shape != self.parameters.flat.shape:
            raise OptionError("the checkpoint is of other models", "train into another folder")
        self.parameters.load(state["weights"])
        self.optimiser.first.copy_(state["first"])
        self.optimiser.second.copy_(state["second"])
        self._step.copy_(state["step"])
        self.losses.copy_(state["losses"])
        self.step, self._counted = int(state["step"]), int(state["counted"])
        self._uploaded = range(0)

    def weights_of(self, replica: int) -> dict[str, Tensor]:
        """The weights of one replica by name, in 32 bits: (1, …) each."""
        flat, places = self.parameters.flat[replica], self.parameters.places
        return {p.name: flat[places[p.name]].view(1, *p.shape).clone() for p in self.parameters.parameters}
