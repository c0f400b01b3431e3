"""A sequence-to-sequence model as a parser: one replica that is fitted, predicts, and is kept in a directory.

The vocabulary is that of the training pairs. A source with another word has no output, nor has one that is longer than
an attention map of CGPS. Outputs end at twice the length
of the longest training target at the latest. For many replicas, or training that goes on after a kill, see `studies`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import orjson
import torch

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import make_folder, read_bytes, write_whole
from recombine.models.device import choose_device
from recombine.models.seq2seq.architectures.architecture import Model
from recombine.models.seq2seq.architectures.parameters import Parameters
from recombine.models.seq2seq.decoding.beam import beam
from recombine.models.seq2seq.export import make_study, number_symbols
from recombine.models.seq2seq.settings import Seq2SeqSettings
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint
from recombine.models.seq2seq.training.train import Replica, Stack
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FORM = "recombine-seq2seq-parser/1"
MODEL, WEIGHTS = "model.json", "weights.safetensors"
PAUSE = 50
"""Steps between reports of progress."""
BATCH = 256


@dataclass
class Seq2Seq:
    """A model of given settings; before `fit` it has no weights.

    >>> from recombine.models.seq2seq.presets import find_preset
    >>> small = find_preset("cfq:transformer", width=16, heads=2, filter_width=16, layers=1, steps=2)
    >>> Seq2Seq(small).fit([("jump", "J"), ("walk", "W")]).predict(["hop"])
    [None]
    """

    settings: Seq2SeqSettings
    seed: int = 0
    device: str = ""
    """As torch names it; a GPU where there is one."""
    vocabulary: tuple[str, ...] = ()
    longest: int = 0
    """The most symbols of an output."""
    weights: torch.Tensor | None = field(default=None, repr=False)

    def fit(self, pairs: Iterable[tuple[str, str]], progress: Callable[[int, int, float], None] | None = None) -> Self:
        """Train to the last step; `progress` gets the step, the last step and the mean loss since its last call."""
        study = make_study(list(pairs), {}, {}, [])
        rows = np.arange(len(study.source))
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # the order of sums, and with it the last bits, depends on their number
        try:
            replica = Replica("parser", rows, self.seed)
            stack = Stack(
                self.settings, [replica], study.source, study.target, len(study.vocabulary), device=self._device()
            )
            while stack.step < self.settings.steps:
                stack.train(min(self.settings.steps, stack.step + PAUSE))
                (loss,) = stack.take_losses()
                if not abs(loss) < float("inf"):
                    raise RecombineError(f"the loss is not a number at step {stack.step}", "train with another seed")
                if progress is not None:
                    progress(stack.step, self.settings.steps, loss)
        finally:
            torch.set_num_threads(threads)
        self.vocabulary, self.longest = study.vocabulary, 2 * int(study.target.shape[1])
        self.weights = stack.parameters.flat.detach().cpu().clone()
        return self

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The output for each source; none where it has words that train does not have, or is too long."""
        if self.weights is None:
            raise RecombineError("the parser has not been fitted", "call `fit` first")
        model = Model(self.settings, len(self.vocabulary))
        parameters = Parameters(model.parameters(), [self.seed], device=self._device())
        parameters.load(self.weights)
        known = set(self.vocabulary[2:])
        texts = [source.split() for source in sources]
        most = self.settings.positions - 1 if self.settings.architecture == "cgps" else max(map(len, texts), default=0)
        places = [place for place, text in enumerate(texts) if 0 < len(text) <= most and known.issuperset(text)]
        outputs: list[str | None] = [None] * len(sources)
        for start in range(0, len(places), BATCH):
            chosen = places[start : start + BATCH]
            table = number_symbols([texts[place] for place in chosen], self.vocabulary)
            given = torch.from_numpy(table)[None].to(self._device())
            out = beam(model, parameters.weights, given, self.longest)[0].cpu().tolist()
            for place, row in zip(chosen, out, strict=True):
                outputs[place] = " ".join(self.vocabulary[symbol] for symbol in row if symbol > 1)
        return outputs

    def _device(self) -> str:
        try:
            return str(torch.empty(0, device=choose_device(self.device)).device)
        except (RuntimeError, AssertionError) as error:
            problem = f"the device {self.device!r} cannot be used ({str(error).splitlines()[0]})"
            raise OptionError(problem, "use cpu") from error


def save(model: Seq2Seq, folder: Path | str, *, signature: str = "") -> None:
    """Write a fitted parser to a directory, which is made where it is missing; `model.json` comes last."""
    if model.weights is None:
        raise RecombineError("the parser has not been fitted", "call `fit` first")
    folder = make_folder(folder)
    save_checkpoint(folder / WEIGHTS, {"weights": model.weights})
    record = {
        "form": FORM,
        "version": __version__,
        "signature": signature,
        "settings": model.settings.to_dict(),
        "seed": model.seed,
        "longest": model.longest,
        "vocabulary": model.vocabulary,
        "files": {WEIGHTS: _digest(folder / WEIGHTS)},
    }
    write_whole(folder / MODEL, orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def load(folder: Path | str, *, device: str = "") -> Seq2Seq:
    """The parser in a directory."""
    folder = Path(folder)
    record: dict[str, Any] = orjson.loads(read_bytes(folder / MODEL))
    try:
        if _digest(folder / WEIGHTS) != record["files"][WEIGHTS]:
            raise InputFileError(f"{folder / WEIGHTS}: is not the file that {MODEL} was written with", "save it again")
        tensors, _ = load_checkpoint(folder / WEIGHTS)
        return Seq2Seq(
            Seq2SeqSettings.from_dict(record["settings"]),
            int(record["seed"]),
            device,
            vocabulary=tuple(record["vocabulary"]),
            longest=int(record["longest"]),
            weights=tensors["weights"],
        )
    except KeyError as error:
        raise InputFileError(f"{folder}: {error.args[0]!r} is missing", "save the parser again") from None


def _digest(path: Path) -> str:
    return hashlib.blake2b(read_bytes(path), digest_size=16).hexdigest()
