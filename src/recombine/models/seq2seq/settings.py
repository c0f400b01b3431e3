"""What a model is and how it is trained, as one frozen value that is written into every result."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

ARCHITECTURES = ("lstm", "transformer", "universal-transformer", "syntactic-attention", "cgps")
OPTIONS = (
    "beam",
    "length_penalty",
    "halting",
    "halting_threshold",
    "ponder",
    "meaning_width",
    "function_width",
    "positions",
    "end_scale",
    "noise",
    "norm_cost",
    "summed",
    "fall",
    "fall_steps",
)
"""Settings that are written only where they differ from the default: results stored before them keep their keys."""


@dataclass(frozen=True, kw_only=True)
class Seq2SeqSettings:
    """Settings of one model; `presets.PRESETS` holds those of the paper.

    >>> Seq2SeqSettings(architecture="transformer", width=64, heads=4).steps
    35000
    """

    architecture: str = field(metadata={"help": "What kind of network it is.", "choices": ARCHITECTURES})
    width: int = option(128, "The width of each layer.")
    layers: int = option(2, "Layers, or recurrent steps in depth of a universal transformer.")
    heads: int = option(16, "The heads of attention.")
    filter_width: int = option(2048, "The width within a transformer's feed-forward networks.")
    attention_width: int = option(128, "Of each head of the LSTM: the width of its part of the attention vector.")
    dropout: float = option(0.1, "The share of activations that training drops.")
    label_smoothing: float = option(0.1, "The share of probability that the loss gives to all other symbols.")
    rate: float = option(0.08, "The learning rate, or what it is a multiple of.")
    warmup: int = option(4000, "Steps over which the rate rises from 0.")
    decay: bool = option(True, "Whether the rate falls with the square root of the step after the warm-up.")
    beta1: float = option(0.9, "Of Adam: the decay of the mean of gradients.")
    beta2: float = option(0.997, "Of Adam: the decay of the mean of their squares.")
    epsilon: float = option(1e-9, "Of Adam: what is added to the root of that mean.")
    clip: float = option(0.0, "The norm that gradients are cut down to; 0 leaves them alone.")
    batch_tokens: int = option(4096, "Target tokens of a batch, padding counted.")
    buckets: int = option(6, "Groups of examples of like length, which batches are drawn from.")
    steps: int = option(35000, "Steps of training.")
    beam: int = option(1, "Outputs that decoding follows side by side; one is greedy.")
    length_penalty: float = option(0.6, "How much a beam favours long outputs.")
    """Their log-probability is divided by ((5 + length) / 6) to this power."""
    halting: bool = option(
        False, "Whether each position of a universal transformer takes its own number of steps, `layers` at most."
    )
    halting_threshold: float = option(0.99, "With halting: the sum of probabilities at which a position stops.")
    ponder: float = option(0.01, "With halting: what a step of a position costs in the loss.")
    meaning_width: int = option(
        120, "Of syntactic attention and CGPS: the width of a word's meaning, which outputs are read from."
    )
    function_width: int = option(8, "Of CGPS: the width of a word's function, which attention is made from.")
    positions: int = option(64, "Of CGPS: the most positions of a source, its end counted.")
    end_scale: float = option(
        1.0, "Of syntactic attention: the deviation of the learned role of a source's end at the start."
    )
    noise: float = option(0.0, "Of CGPS: the deviation of the noise that training adds to meanings and functions.")
    norm_cost: float = option(0.0, "Of CGPS: what the mean squares of a word's meaning and function cost in the loss.")
    summed: bool = option(
        False, "Whether an example's loss is the sum over its symbols, and a batch's the mean over examples."
    )
    fall: float = option(1.0, "What the rate is multiplied with every `fall_steps` steps; 1 leaves it alone.")
    fall_steps: int = option(100, "With a `fall` other than 1: the steps between two of them.")

    def __post_init__(self) -> None:
        if self.architecture not in ARCHITECTURES:
            raise UnknownNameError("architecture", self.architecture, ARCHITECTURES)
        for name in (
            "width",
            "layers",
            "heads",
            "filter_width",
            "attention_width",
            "warmup",
            "batch_tokens",
            "buckets",
            "beam",
            "meaning_width",
            "function_width",
            "positions",
            "fall_steps",
        ):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a whole number of 1 or more")
        for name in ("dropout", "label_smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a share of at least 0 and under 1")
        if self.halting and self.architecture != "universal-transformer":
            raise OptionError(
                f"halting with the architecture {self.architecture}", "only a universal transformer halts"
            )
        if not 0 < self.halting_threshold <= 1:
            raise OptionError(f"halting_threshold is {self.halting_threshold}", "give a share over 0 and at most 1")
        if self.length_penalty < 0 or self.ponder < 0:
            name = "length_penalty" if self.length_penalty < 0 else "ponder"
            raise OptionError(f"{name} is {getattr(self, name)}", "give 0 or more")
        if self.architecture.endswith("transformer") and self.width % self.heads:
            raise OptionError(f"{self.heads} heads do not divide the width {self.width}", "choose heads that do")
        self._check_attention()

    def _check_attention(self) -> None:
        """What syntactic attention and CGPS ask for."""
        if self.architecture in ("syntactic-attention", "cgps") and self.width % 2:
            raise OptionError(f"the width {self.width} is odd", "half of it goes each way through a source")
        for name in ("noise", "norm_cost"):
            if getattr(self, name) < 0:
                raise OptionError(f"{name} is {getattr(self, name)}", "give 0 or more")
            if getattr(self, name) and self.architecture != "cgps":
                raise OptionError(f"{name} with the architecture {self.architecture}", "only cgps has it")
        if self.end_scale < 0:
            raise OptionError(f"end_scale is {self.end_scale}", "give 0 or more")
        if self.end_scale != 1 and self.architecture != "syntactic-attention":
            raise OptionError(f"end_scale with the architecture {self.architecture}", "only syntactic attention has it")
        if not 0 < self.fall <= 1:
            raise OptionError(f"fall is {self.fall}", "give a share over 0 and at most 1")

    def to_dict(self) -> dict[str, Any]:
        """As plain values for a JSON file; options that are off are left out.

        >>> "beam" in Seq2SeqSettings(architecture="lstm").to_dict()
        False
        >>> Seq2SeqSettings(architecture="lstm", beam=4).to_dict()["beam"]
        4
        """
        usual = {each.name: each.default for each in fields(self) if each.name in OPTIONS}
        return {name: value for name, value in asdict(self).items() if name not in usual or value != usual[name]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Seq2SeqSettings:
        """From plain values; a key that is no setting is an error."""
        known = {each.name for each in fields(cls)}
        for name in values:
            if name not in known:
                raise UnknownNameError("setting", name, known)
        return cls(**values)
