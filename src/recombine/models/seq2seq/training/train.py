"""Training K replicas together: one stacked model, one pass of the optimiser, one CUDA graph for each bucket.

A replica is a cell of a study: its train examples, its seed, its factor on the learning rate. Its batches, initial
weights and dropout masks follow from these alone (see `batches`, `parameters`, `dropout`), and no operation mixes
replicas, so its result does not depend on its companions beyond rounding.

On a GPU everything of a step is computed there, from the step number on: the host only replays the graph of the bucket
whose turn it is, and uploads the examples of the next cycles now and then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from recombine.errors import OptionError
from recombine.models.seq2seq.architectures.architecture import Model
from recombine.models.seq2seq.architectures.parameters import Parameters
from recombine.models.seq2seq.decoding.beam import beam
from recombine.models.seq2seq.dropout import Drops, make_keys, signed
from recombine.models.seq2seq.training.batches import Sampler, bucket_order, make_buckets, stack_shapes
from recombine.models.seq2seq.training.optimiser import Adam

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.seq2seq.settings import Seq2SeqSettings

    Ints = NDArray[np.int64]

CYCLES = 256
"""Cycles whose examples are uploaded at once."""


@dataclass(frozen=True)
class Replica:
    """One model to train."""

    name: str
    train: Ints
    """Rows of the data to train on."""
    seed: int
    factor: float = 1.0
    """What the learning rate is multiplied with."""


class Stack:
    """K replicas in training on one device.

    `source` and `target` hold the symbols of all examples, ends included, padded with 0: (examples, longest).
    """

    def __init__(
        self,
        settings: Seq2SeqSettings,
        replicas: Sequence[Replica],
        source: Ints,
        target: Ints,
        symbols: int,
        *,
        device: str = "cpu",
        graphs: bool = True,
    ) -> None:
        if not replicas:
            raise OptionError("a stack without replicas", "give at least one")
        self.settings, self.replicas = settings, tuple(replicas)
        self.device = torch.device(device)
        self.model = Model(settings, symbols)
        seeds = [replica.seed for replica in replicas]
        dtype = self.model.gpu_type if self.device.type == "cuda" else torch.float32
        self.parameters = Parameters(self.model.parameters(), seeds, device=self.device, dtype=dtype)
        factors = torch.tensor([replica.factor for replica in replicas], dtype=torch.float64, device=self.device)
        self.optimiser = Adam(settings, self.parameters, factors)
        self._seeds = torch.tensor([signed(hash_seed(seed)) for seed in seeds], dtype=torch.int32, device=self.device)
        self._plan(source, target)
        self.step = 0
        self._step = torch.zeros(1, dtype=torch.int64, device=self.device)
        self.losses = torch.zeros(len(replicas), device=self.device)
        """The sum of each replica's losses since they were last read."""
        self._counted = 0
        self._graphs: dict[int, torch.cuda.CUDAGraph] = {}
        self._use_graphs = graphs and self.device.type == "cuda"

    # -- data -----------------------------------------------------------------------------------------------------

    def _plan(self, source: Ints, target: Ints) -> None:
        """Buckets and shapes, and the symbols of all examples on the device, with an empty example at the end."""
        source_lengths, target_lengths = (source != 0).sum(1), (target != 0).sum(1)
        s = self.settings
        if s.architecture == "cgps" and source.shape[1] > s.positions:
            problem = f"a source has {source.shape[1]} positions, its end counted, an attention map {s.positions}"
            raise OptionError(problem, "raise positions")
        buckets = [
            make_buckets(r.train, source_lengths, target_lengths, buckets=s.buckets, tokens=s.batch_tokens)
            for r in self.replicas
        ]
        self.shapes = stack_shapes(buckets)
        self._samplers = [Sampler(b, r.seed) for b, r in zip(buckets, self.replicas, strict=True)]
        self._empty = len(source)
        self._source, self._target = (
            torch.from_numpy(np.pad(table, ((0, 1), (0, 0))).astype(np.int64)).to(self.device)
            for table in (source, target)
        )
        k = len(self.replicas)
        self._rows = [
            torch.zeros(CYCLES, k, width, dtype=torch.int64, device=self.device) for width, _, _ in self.shapes
        ]
        self._start = torch.full((1,), -1, dtype=torch.int64, device=self.device)
        self._uploaded = range(0)

    def _upload(self, cycle: int) -> None:
        """The examples of the cycles from this one on."""
        cycles = range(cycle, cycle + CYCLES)
        self._order = bucket_order(cycles, len(self.shapes))
        every = [np.empty((CYCLES, len(self.replicas), width), dtype=np.int64) for width, _, _ in self.shapes]
        for replica, sampler in enumerate(self._samplers):
            sampler.fill([rows[:, replica] for rows in every], cycles, self._empty)
        for rows, made in zip(self._rows, every, strict=True):
            held = torch.from_numpy(made)
            rows.copy_(held.pin_memory() if self.device.type == "cuda" else held, non_blocking=True)
        self._start.fill_(cycle)
        self._uploaded = cycles

    def _batch(self, bucket: int) -> tuple[Tensor, Tensor]:
        """The sources (K, B, S) and targets (K, B, T) of the current step."""
        _, longest_source, longest_target = self.shapes[bucket]
        at = self._step // len(self.shapes) - self._start
        rows = self._rows[bucket].index_select(0, at)[0]  # (K, B)
        source = self._source[:, :longest_source].index_select(0, rows.flatten()).view(*rows.shape, -1)
        target = self._target[:, :longest_target].index_select(0, rows.flatten()).view(*rows.shape, -1)
        return source, target

    # -- steps ----------------------------------------------------------------------------------------------------

    def train(self, until: int) -> None:
        """Train up to this step."""
        while self.step < until:
            cycle, place = divmod(self.step, len(self.shapes))
            if cycle not in self._uploaded:
                self._upload(cycle)
            self._run(int(self._order[cycle - self._uploaded.start, place]))
            self.step += 1
            self._counted += 1

    def _run(self, bucket: int) -> None:
        if not self._use_graphs:
            self._compute(bucket)
            return
        if bucket not in self._graphs:
            self._capture(bucket)
        self._graphs[bucket].replay()

    def _compute(self, bucket: int) -> None:
        """One step of all replicas on a batch of a bucket."""
        source, target = self._batch(bucket)
        drops = Drops()
        if self.settings.dropout or self.settings.noise:
            keys = make_keys(self._seeds, self._step, self.model.places())
            drops = Drops(self.settings.dropout, keys, self.settings.noise)
        loss = self.model.loss(self.parameters.weights, source, target, drops)
        self.parameters.backward(loss.sum())
        self._step += 1
        self.optimiser.update(self._step)
        self.losses += loss.detach()

    def _capture(self, bucket: int) -> None:
        """Record one step as a graph; the state is as before afterwards."""
        state = [self.parameters.flat, self.parameters.used, self.optimiser.first, self.optimiser.second]
        state += [self._step, self.losses]
        saved = [tensor.clone() for tensor in state]
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self._compute(bucket)
                self._step.copy_(saved[-2])
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        pool = next(iter(self._graphs.values())).pool() if self._graphs else None
        with torch.cuda.graph(graph, pool=pool):
            self._compute(bucket)
        self._graphs[bucket] = graph
        for tensor, value in zip(state, saved, strict=True):
            tensor.copy_(value)

    def take_losses(self) -> list[float]:
        """The mean loss of each replica since the last call."""
        means = (self.losses / max(1, self._counted)).tolist()
        self.losses.zero_()
        self._counted = 0
        return [float(mean) for mean in means]

    # -- results --------------------------------------------------------------------------------------------------

    def predict(self, rows: Sequence[Ints], longest: int, *, batch: int = 1024) -> list[Ints]:
        """Predictions of each replica for its rows of the data: (rows, longest) symbols each."""
        batch = max(1, batch // self.settings.beam)
        most = max(len(r) for r in rows)
        predictions = [np.zeros((len(r), longest), dtype=np.int64) for r in rows]
        for start in range(0, most, batch):
            parts = [r[start : start + batch] for r in rows]
            width = max(len(part) for part in parts)
            at = np.full((len(rows), width), self._empty)
            for replica, part in enumerate(parts):
                at[replica, : len(part)] = part
            source = self._source[torch.from_numpy(at).to(self.device)]
            out = beam(self.model, self.parameters.weights, source, longest).cpu().numpy()
            for replica, part in enumerate(parts):
                predictions[replica][start : start + len(part)] = out[replica, : len(part)]
        return predictions

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

    def load_state(self, state: dict[str, Tensor]) -> None:
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


def hash_seed(seed: int) -> int:
    """32 bits of a seed of any size."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0])
