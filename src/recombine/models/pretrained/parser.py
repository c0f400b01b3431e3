"""A checkpoint from disk as a parser: `fit` fine-tunes it, `predict` decodes."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from recombine.errors import RecombineError
from recombine.models.device import choose_device
from recombine.models.pretrained.local_checkpoint import (
    check_directory,
    check_installed,
    checkpoint_digest,
    find_kind,
    load_model,
    load_tokenizer,
    quiet,
)
from recombine.models.pretrained.presets import find_preset
from recombine.seeds import check_seed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.models.pretrained.kinds.kind import Kind
    from recombine.models.pretrained.settings import FineTuningSettings
    from recombine.models.pretrained.texts.words import Words
    from recombine.models.pretrained.tuner import Tuner

LOOK = 10
"""Steps between looks at the clock."""


def recompute_activations(model: Any) -> None:
    """Have a model compute again what gradients need; newer versions of `transformers` have another word for it."""
    enable = getattr(model, "activation_checkpointing_enable", None)
    if enable is None:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    else:
        enable({"use_reentrant": False})


def make_kind(folder: Path, settings: FineTuningSettings, words: Words | None, seed: int = 0) -> Kind:
    """The model of a checkpoint; `words` are those that a copying decoder can generate."""
    import torch

    from recombine.models.pretrained.tuner import own_randomness

    name = find_kind(folder) if settings.kind == "auto" else settings.kind
    tokenizer = load_tokenizer(folder)
    with own_randomness(torch.device("cpu"), seed):
        model = load_model(folder, name, random_weights=settings.random_weights)
        if settings.recompute:
            recompute_activations(model)
        if name == "seq2seq":
            from recombine.models.pretrained.kinds.seq2seq import EncoderDecoder

            return EncoderDecoder(model, tokenizer, settings)
        if name == "causal":
            from recombine.models.pretrained.kinds.causal import Causal

            return Causal(model, tokenizer, settings)
        from recombine.models.pretrained.kinds.copying import Copying

        if words is None:
            raise RecombineError("a copying decoder has no words before it was fitted", "call `fit` first")
        if getattr(tokenizer, "add_prefix_space", None) is False:  # or only the first word would be one of a text
            tokenizer = load_tokenizer(folder, add_prefix_space=True)
        return Copying(model, tokenizer, settings, words)


@dataclass
class Pretrained:
    """A parser made of a checkpoint; before `fit`, a copying decoder has nothing to predict with, others do.

    What was lost or cut is in `counted`: `sources_cut`, `sources_with_unknown` (a token that stands for what the
    vocabulary lacks), `targets_not_exact` (that do not come back from their tokens), `targets_over_limit`, each for
    `train/` and `predict/`, and `predict/outputs_not_ended`, which reached the limit, and
    `predict/outputs_with_unknown`.
    """

    checkpoint: Path | str
    settings: FineTuningSettings = field(default_factory=lambda: find_preset("pretrained"))
    seed: int = 0
    device: str = ""
    """Empty is the GPU where there is one."""
    counted: Counter[str] = field(default_factory=Counter)
    kind: Kind | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_installed()
        self.checkpoint = check_directory(self.checkpoint)

    def fit(self, pairs: Iterable[tuple[str, str]], work: Path | str | None = None, *, seconds: float = 300.0) -> Self:
        """Fine-tune on pairs; with `work`, a file that training resumes from, written every `seconds`."""
        tuner = self.begin(list(pairs))
        path = None if work is None else Path(work)
        if path is not None and path.exists():
            tuner.load(path)
        last = time.monotonic()
        while tuner.step < tuner.total:
            tuner.train(tuner.step + LOOK)
            if path is not None and (time.monotonic() - last >= seconds or tuner.step == tuner.total):
                tuner.save(path)
                last = time.monotonic()
        return self

    def begin(self, pairs: Sequence[tuple[str, str]]) -> Tuner:
        """The training, at its first step: the checkpoint as it is on disk."""
        from recombine.models.pretrained.texts.words import Words
        from recombine.models.pretrained.tuner import Tuner

        sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
        self.kind = make_kind(
            Path(self.checkpoint), self.settings, Words.of(targets, self.settings.least_count), self.seed
        )
        self.place()
        self.counted = Counter()
        counted: Counter[str] = Counter()
        examples = self.kind.encode(sources, targets, counted)
        self._count("train", counted)
        identity = {
            "settings": self.settings.to_dict(),
            "seed": self.seed,
            "pairs": list(pairs),
            "checkpoint": checkpoint_digest(self.checkpoint),
        }
        return Tuner(self.kind, examples, self.settings, self.seed, identity)

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The target of each source; `counted` is of the last call."""
        import torch

        from recombine.models.pretrained.tuner import autocast

        if self.kind is None:
            self.kind = make_kind(Path(self.checkpoint), self.settings, None)
            self.place()
        kind = self.kind
        kind.module.eval()
        distinct = sorted(dict.fromkeys(sources))
        counted: Counter[str] = Counter()
        examples = kind.encode(distinct, None, counted)
        order = sorted(range(len(distinct)), key=lambda place: len(examples[place].source))
        by_source: dict[str, str] = {}
        size = self.settings.predict_batch
        with torch.no_grad(), autocast(self.settings, self._device()), quiet():
            for start in range(0, len(order), size):
                places = order[start : start + size]
                outputs = kind.generate([examples[place] for place in places])
                counted["outputs_not_ended"] += sum(not output.ended for output in outputs)
                counted["outputs_with_unknown"] += sum(output.unknown for output in outputs)
                by_source.update((distinct[place], output.text) for place, output in zip(places, outputs, strict=True))
        self._count("predict", counted)
        return [by_source[source] for source in sources]

    def save(self, folder: Path | str) -> None:
        """Write the parser to a new directory; see `store`."""
        from recombine.models.pretrained.store import save

        save(self, folder)

    @classmethod
    def load(cls, folder: Path | str, *, device: str = "") -> Pretrained:
        """The parser in a directory that `save` wrote."""
        from recombine.models.pretrained.store import load

        return load(folder, device=device)

    def _device(self) -> Any:
        import torch

        return torch.device(choose_device(self.device))

    def place(self) -> None:
        """Put the model where it computes."""
        if self.kind is not None:
            self.kind.module.to(self._device())

    def _count(self, when: str, counted: Counter[str]) -> None:
        for name in [name for name in self.counted if name.startswith(f"{when}/")]:
            del self.counted[name]
        self.counted.update({f"{when}/{name}": number for name, number in counted.items()})
