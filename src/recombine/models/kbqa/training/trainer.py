"""A network in training: steps, and all that is needed to go on later as if it had never stopped.

What a step does follows from the seed and its number: which questions, which items they are shown and what dropout
leaves out. Where memory is short, the questions of a step are read in parts and their gradients summed.
"""

from __future__ import annotations

import gc
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.models.kbqa.arrays.codes import END
from recombine.models.kbqa.kbqa_settings import LINEAR
from recombine.models.kbqa.nets.batch import Batch
from recombine.models.kbqa.nets.to_device import to_device
from recombine.models.kbqa.training.exchanged_words import ExchangedWords
from recombine.models.out_of_memory import is_out_of_memory
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.models.kbqa.kbqa_settings import KbqaSettings
    from recombine.models.kbqa.nets.kbqa_net import KbqaNet
    from recombine.models.kbqa.nets.prepared import Prepared
    from recombine.models.kbqa.training.training_vocabulary import TrainingVocabulary

CLIP = 5.0
"""The longest gradient."""
_KEPT = ("exp_avg", "exp_avg_sq", "step")


class Trainer:
    """A network, its optimiser, and how far they are."""

    def __init__(
        self,
        net: KbqaNet,
        prepared: Prepared,
        vocabulary: TrainingVocabulary,
        settings: KbqaSettings,
        seed: int,
        steps: int,
    ) -> None:
        """`steps` are all that a whole training makes."""
        self.net, self._prepared, self._vocabulary, self._seed = net, prepared, vocabulary, seed
        self._steps = steps if settings.decay == LINEAR else 0
        self._exchanged = ExchangedWords(prepared, settings.renamed)
        self.step = 0
        self.parts = 1
        """In how many parts the questions of a step are read."""
        self._loss, self._losses = torch.zeros((), device=net.device), 0
        self.curve: list[tuple[int, float, float]] = []
        self.best: dict[str, Tensor] = {}
        slow = net.slow_weights()
        known = {id(weight) for weight in slow}
        quick = [weight for weight in net.parameters() if id(weight) not in known]
        groups: list[dict[str, Any]] = [{"params": quick, "lr": settings.rate}]
        if slow:
            groups.append({"params": slow, "lr": settings.pretrained_rate})
        self._optimiser = torch.optim.Adam(groups)
        self._rates = [float(group["lr"]) for group in groups]

    # -- steps ----------------------------------------------------------------------------------------------------

    def train(self, rows: NDArray[np.int64], say: Callable[[str], None]) -> None:
        """One step with some questions, in more parts from now on where they do not fit into memory at once."""
        while True:
            try:
                return self._train(rows)
            except (MemoryError, RuntimeError) as error:
                if not is_out_of_memory(error) or self.parts >= len(rows):
                    raise
            # Out of the handler, whose error holds on to what takes the memory.
            self._optimiser.zero_grad(set_to_none=True)
            gc.collect()
            torch.cuda.empty_cache()
            self.parts = min(2 * self.parts, len(rows))
            say(f"out of memory: going on with the questions of a step in {self.parts} parts")

    def _train(self, rows: NDArray[np.int64]) -> None:
        generator = make_generator((self._seed << 64) + self.step)
        shown = [self._vocabulary.shown(int(row), generator) for row in rows]
        prepared = self._exchanged.draw(generator)
        torch.manual_seed(int(generator.integers(2**63)))
        words = int(self._prepared.questions.targets.sizes[rows].sum()) + len(rows)
        self._optimiser.zero_grad(set_to_none=True)
        size = math.ceil(len(rows) / self.parts)
        total = torch.zeros((), device=self.net.device)
        for low in range(0, len(rows), size):
            batch = Batch.of(prepared, rows[low : low + size], shown[low : low + size])
            loss = form_loss(self.net, batch) / words
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        nn.utils.clip_grad_norm_(self.net.parameters(), CLIP)
        self._set_rates()
        self._optimiser.step()
        self.step += 1
        self._loss += total
        self._losses += 1

    def _set_rates(self) -> None:
        """The rates of the step at hand, which fall in a line where the settings say so."""
        left = max(0.0, 1 - self.step / self._steps) if self._steps else 1.0
        for group, rate in zip(self._optimiser.param_groups, self._rates, strict=True):
            group["lr"] = rate * left

    def take_loss(self) -> float:
        """The mean loss of a word since the last call."""
        mean = float(self._loss) / max(1, self._losses)
        self._loss, self._losses = torch.zeros_like(self._loss), 0
        if not math.isfinite(mean):
            raise RecombineError(f"the loss is not a number at step {self.step}", "lower rate and pretrained_rate")
        return mean

    def note(self, epoch: int, loss: float, dev: float | None) -> None:
        """Keep what a pass gave, and its weights if it is the best so far."""
        self.curve.append((epoch, loss, dev or 0.0))
        if dev is None or self.best_epoch == epoch:
            self.best = {name: value.detach().clone() for name, value in self.net.state_dict().items()}

    @property
    def best_epoch(self) -> int:
        """The first pass with the highest exact match on dev; the last one as long as nothing was right."""
        highest = max((exact for _, _, exact in self.curve), default=0.0)
        passes = [epoch for epoch, _, exact in self.curve if exact == highest]
        return passes[0] if highest else len(self.curve)

    # -- checkpoints ----------------------------------------------------------------------------------------------

    def save(self, path: Path, identity: str) -> None:
        """Write all that is needed to go on, whole or not at all."""
        tensors = {f"weight/{name}": value for name, value in self.net.state_dict().items()}
        tensors |= {f"best/{name}": value for name, value in self.best.items()}
        for name, weight in self.net.named_parameters():
            state = self._optimiser.state.get(weight, {})
            tensors |= {f"{key}/{name}": state[key] for key in _KEPT if key in state}
        tensors["loss"] = self._loss
        own = {"step": self.step, "parts": self.parts, "losses": self._losses, "curve": self.curve}
        save_checkpoint(path, tensors, {"identity": identity, "trainer": json.dumps(own)})

    def load(self, path: Path, identity: str) -> None:
        """Go on from a checkpoint of the same training."""
        tensors, metadata = load_checkpoint(path)
        if metadata.get("identity") != identity:
            raise OptionError(f"{path}: is of another training", "train into another place")
        try:
            own = json.loads(metadata["trainer"])
            device = self.net.device
            self.net.load_state_dict(_named(tensors, "weight"))
            self.best = {name: value.to(device) for name, value in _named(tensors, "best").items()}
            kept = {key: _named(tensors, key) for key in _KEPT}
            for name, weight in self.net.named_parameters():
                if name in kept["step"]:
                    # The count of steps stays where the optimiser makes it: on the CPU.
                    self._optimiser.state[weight] = {
                        key: kept[key][name] if key == "step" else kept[key][name].to(device) for key in _KEPT
                    }
            self._loss = tensors["loss"].to(device)
            self.step, self.parts, self._losses = own["step"], own["parts"], own["losses"]
            self.curve = [(epoch, loss, exact) for epoch, loss, exact in own["curve"]]
        except (KeyError, ValueError, TypeError, RuntimeError) as error:
            raise InputFileError(f"{path}: not a whole checkpoint ({error})", "delete it and train again") from error


def form_loss(net: KbqaNet, batch: Batch) -> Tensor:
    """The sum over the words of targets, ends among them, of their surprise."""
    places, sizes = batch.targets(batch.prepared.questions.targets)
    device = net.device
    scores = net.follow(net.encode(batch), to_device(np.maximum(places, 0), device))
    wanted = np.concatenate([np.maximum(places, 0), np.zeros((len(batch), 1), np.int64)], axis=1)
    wanted[np.arange(len(batch)), sizes] = END
    unused = to_device(np.arange(wanted.shape[1]) > sizes[:, None], device)
    picked = scores.gather(2, to_device(wanted, device)[:, :, None])[:, :, 0]
    return -picked.masked_fill(unused, 0.0).sum()


def _named(tensors: dict[str, Tensor], kind: str) -> dict[str, Tensor]:
    return {name.split("/", 1)[1]: value for name, value in tensors.items() if name.startswith(f"{kind}/")}
