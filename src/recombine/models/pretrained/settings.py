"""How a checkpoint is fine-tuned and how it predicts, as one frozen value that is written into every result."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import ceil
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.models.check_settings import check_settings
from recombine.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

CHOICES = {
    "kind": ("auto", "seq2seq", "causal", "copying"),
    "schedule": ("constant", "polynomial"),
    "optimiser": ("adamw", "adafactor"),
    "long_sources": ("fail", "cut"),
    "precision": ("auto", "fp32", "bf16"),
}
_AT_LEAST_1 = (
    *("batch", "accumulate", "max_source", "max_target", "beams", "predict_batch"),
    *("hidden", "embedding", "least_count"),
)
_AT_LEAST_0 = ("steps", "epochs", "warmup", "rate", "decoder_rate", "final_rate", "weight_decay", "clip")


@dataclass(frozen=True, kw_only=True)
class FineTuningSettings:
    """Settings of one model; `presets.PRESETS` holds those of the papers.

    >>> FineTuningSettings(epochs=2, batch=8).total_steps(20)
    6
    """

    kind: str = option(
        "auto",
        "seq2seq, causal, copying (an encoder with an LSTM decoder that copies), or as the checkpoint says.",
        choices=CHOICES["kind"],
    )
    steps: int = option(0, "Steps of the optimiser; 0 counts by epochs. There is no early stopping.")
    epochs: int = option(0, "Passes over the train pairs, where no steps are given.")
    batch: int = option(16, "Examples of a step.")
    accumulate: int = option(
        1, "The parts that a whole batch is computed in: the result is the same but for rounding, the memory less."
    )
    rate: float = option(3e-5, "The learning rate.")
    decoder_rate: float = option(0.0, "The rate of a decoder that has to learn from nothing; 0 is as the rest.")
    schedule: str = option(
        "constant",
        "After the warm-up the rate stays, or falls to final_rate at the last step.",
        choices=CHOICES["schedule"],
    )
    power: float = option(1.0, "Of the polynomial; 1 is a straight line.")
    final_rate: float = option(0.0, "What a polynomial falls to, as a share of the rate.")
    warmup: int = option(0, "Steps over which the rate rises from 0.")
    optimiser: str = option("adamw", "What moves the weights.", choices=CHOICES["optimiser"])
    beta1: float = option(0.9, "Of AdamW: the decay of the mean of gradients.")
    beta2: float = option(0.999, "Of AdamW: the decay of the mean of their squares.")
    epsilon: float = option(1e-8, "Of AdamW: what is added to the root of that mean.")
    weight_decay: float = option(0.0, "How fast weights shrink.")
    clip: float = option(0.0, "The norm that gradients are cut down to; 0 leaves them alone.")
    lower_source: bool = option(False, "Whether sources are put in lower case.")
    prefix: str = option("", "Stands before every source.")
    separator: str = option("\n", "Stands between source and target of a causal model.")
    max_source: int = option(512, "The most tokens of a source, ends counted.")
    long_sources: str = option(
        "fail",
        "What becomes of a source with more: an error, or it is cut and counted.",
        choices=CHOICES["long_sources"],
    )
    max_target: int = option(
        512, "The most tokens that are predicted; train targets are never cut, longer ones are counted."
    )
    beams: int = option(1, "Outputs that decoding follows side by side; 1 is greedy decoding.")
    predict_batch: int = option(32, "Sources that are decoded together.")
    precision: str = option(
        "auto",
        "Of the sums: auto is bf16 on a GPU and fp32 on a CPU. Weights are always fp32.",
        choices=CHOICES["precision"],
    )
    recompute: bool = option(
        False, "Whether activations are computed again on the way back, which saves memory for time."
    )
    random_weights: bool = option(
        False, "Whether training starts from random weights; of the checkpoint, the form and the tokenizer are taken."
    )
    hidden: int = option(512, "Of the copying decoder: the width of its LSTM.")
    embedding: int = option(256, "Of the copying decoder: the width of its word vectors.")
    dropout: float = option(0.1, "Of the copying decoder; the checkpoint has its own.")
    least_count: int = option(
        1, "Of the copying decoder: words of fewer occurrences in train targets can only be copied."
    )

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise UnknownNameError(name, str(getattr(self, name)), known)
        for names, least in ((_AT_LEAST_1, 1), (_AT_LEAST_0, 0)):
            for name in names:
                if not getattr(self, name) >= least:
                    raise OptionError(f"{name} is {getattr(self, name)}", f"give {least} or more")
        if bool(self.steps) == bool(self.epochs):
            problem = f"{self.steps} steps and {self.epochs} epochs are given"
            raise OptionError(problem, "give one of them, and 0 for the other")
        if self.accumulate > self.batch:
            raise OptionError(f"accumulate is {self.accumulate}, a batch {self.batch}", "give no more than the batch")
        if not 0 <= self.dropout < 1:
            raise OptionError(f"dropout is {self.dropout}", "give a share of at least 0 and under 1")

    def total_steps(self, examples: int) -> int:
        """Steps in all on this many train pairs."""
        return self.steps or self.epochs * ceil(examples / self.batch)

    def rate_at(self, step: int, total: int) -> float:
        """The share of the rate at a step counted from 0.

        >>> settings = FineTuningSettings(epochs=1, schedule="polynomial", warmup=2)
        >>> [round(settings.rate_at(step, 6), 2) for step in range(6)]
        [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
        """
        if step < self.warmup:
            return (step + 1) / self.warmup
        if self.schedule == "constant":
            return 1.0
        left = (total - step) / max(1, total - self.warmup)
        return float(self.final_rate + (1 - self.final_rate) * left**self.power)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for a JSON file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> FineTuningSettings:
        """From plain values; a key that is no setting, or a value of another type, is an error."""
        check_settings(values, {field.name: field.default for field in fields(cls)})
        return cls(**values)
