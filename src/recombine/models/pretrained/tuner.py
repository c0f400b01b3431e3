"""The training of one model: steps, rates, checkpoints.

What a step does follows from the seed and its number (batch and dropout), so a run that goes on from a checkpoint ends
with the same weights as one that never stopped.
"""

from __future__ import annotations

import hashlib
import json
import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import check_file
from recombine.models.pretrained.texts.batches import Batches
from recombine.models.seq2seq.training.checkpoint import save_checkpoint
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from recombine.models.pretrained.kinds.kind import EncodedPair, Kind
    from recombine.models.pretrained.settings import FineTuningSettings


@contextmanager
def own_randomness(device: torch.device, seed: int) -> Iterator[None]:
    """Draw random numbers from a seed within, and put the generators back afterwards."""
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices):
        torch.manual_seed(seed)
        yield


def autocast(settings: FineTuningSettings, device: torch.device) -> torch.autocast:
    """The precision of sums on a device."""
    half = settings.precision == "bf16" or (settings.precision == "auto" and device.type == "cuda")
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=half)


class Tuner:
    """A model in training; `identity` is what must be the same when a checkpoint is taken up."""

    def __init__(
        self, kind: Kind, examples: Sequence[EncodedPair], settings: FineTuningSettings, seed: int, identity: Any
    ) -> None:
        if not examples:
            raise OptionError("there are no pairs to learn from", "give train pairs")
        self.kind, self.settings, self.seed = kind, settings, seed
        self._examples = examples
        self._batches = Batches([example.length for example in examples], size=settings.batch, seed=seed)
        self._identity = hashlib.blake2b(json.dumps(identity).encode(), digest_size=16).hexdigest()
        self.total = settings.total_steps(len(examples))
        self.step = 0
        self._loss, self._losses = 0.0, 0
        self.device = next(kind.module.parameters()).device
        self._optimiser = self._make_optimiser()

    def _make_optimiser(self) -> torch.optim.Optimizer:
        settings = self.settings
        new = list(self.kind.new_weights())
        known = {id(weight) for weight in new}
        old = [weight for weight in self.kind.module.parameters() if id(weight) not in known]
        groups: list[dict[str, Any]] = [{"params": old, "lr": settings.rate, "rate": settings.rate}]
        if new:
            rate = settings.decoder_rate or settings.rate
            groups.append({"params": new, "lr": rate, "rate": rate})
        if settings.optimiser == "adafactor":
            # T5's ε₁ of 1e-30 is under the root; the library's own default is for gradients larger than these.
            return torch.optim.Adafactor(
                groups, lr=settings.rate, eps=(1e-15, 1e-3), weight_decay=settings.weight_decay
            )
        return torch.optim.AdamW(
            groups,
            betas=(settings.beta1, settings.beta2),
            eps=settings.epsilon,
            weight_decay=settings.weight_decay,
        )

    # -- training -------------------------------------------------------------------------------------------------

    def train(self, until: int) -> None:
        """Train to a step, or to the last one."""
        self.kind.module.train()
        with own_randomness(self.device, 0):
            while self.step < min(until, self.total):
                self._train_step()

    def _train_step(self) -> None:
        batch = [self._examples[row] for row in self._batches.rows(self.step)]
        tokens = sum(len(example.target) for example in batch)
        size = math.ceil(self.settings.batch / self.settings.accumulate)
        generator = make_generator((self.seed << 64) + self.step)
        self._optimiser.zero_grad(set_to_none=True)
        total = 0.0
        for start in range(0, len(batch), size):
            torch.manual_seed(int(generator.integers(2**63)))
            with autocast(self.settings, self.device):
                loss = self.kind.loss(batch[start : start + size]) / tokens
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        if not math.isfinite(total):
            problem = f"the loss is not a number at step {self.step + 1}"
            raise RecombineError(problem, "lower the rate, clip gradients, or take precision fp32")
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self.kind.module.parameters(), self.settings.clip)
        share = self.settings.rate_at(self.step, self.total)
        for group in self._optimiser.param_groups:
            group["lr"] = group["rate"] * share
        self._optimiser.step()
        self.step += 1
        self._loss += total
        self._losses += 1

    def take_loss(self) -> float:
        """The mean loss of a token since the last call."""
        mean = self._loss / max(1, self._losses)
        self._loss, self._losses = 0.0, 0
        return mean

    # -- checkpoints ----------------------------------------------------------------------------------------------

    def save(self, path: Path, metadata: Mapping[str, str] | None = None) -> None:
        """Write all that is needed to go on, whole or not at all."""
        tensors = {}
        for name, weight in self._weights():
            tensors[f"weight/{name}"] = weight
            for key, value in self._optimiser.state[weight].items():
                tensors[f"state/{key}/{name}"] = value
        own = {"step": self.step, "loss": self._loss, "losses": self._losses, "identity": self._identity}
        save_checkpoint(path, tensors, {**(metadata or {}), "tuner": json.dumps(own)})

    def load(self, path: Path) -> dict[str, str]:
        """Go on from a checkpoint; gives the metadata that was saved with it."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(check_file(path), framework="pt") as file:
                metadata = dict(file.metadata())
                own = json.loads(metadata.pop("tuner"))
                if own["identity"] != self._identity:
                    raise OptionError(f"{path}: is of another training", "train into another place")
                self._load_tensors(file)
        except (SafetensorError, KeyError, ValueError) as error:
            raise InputFileError(f"{path}: not a whole checkpoint ({error})", "delete it and train again") from error
        self.step, self._loss, self._losses = own["step"], own["loss"], own["losses"]
        return metadata

    @torch.no_grad()
    def _load_tensors(self, file: Any) -> None:
        weights = dict(self._weights())
        for name in file.keys():  # noqa: SIM118
            what, rest = name.split("/", 1)
            if what == "weight":
                weights[rest].copy_(file.get_tensor(name))
            else:
                key, rest = rest.split("/", 1)
                value = file.get_tensor(name)
                # The count of steps stays where the optimiser makes it: on the CPU.
                place = value.device if key == "step" else weights[rest].device
                self._optimiser.state[weights[rest]][key] = value.to(place)

    def _weights(self) -> list[tuple[str, torch.nn.Parameter]]:
        return list(self.kind.module.named_parameters())
