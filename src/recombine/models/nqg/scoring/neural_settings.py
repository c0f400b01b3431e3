"""The settings of the neural scorer: one default, and the paper's own as a preset. Importing this needs no torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.models.nqg.nqg_options import FEATURES
from recombine.models.nqg.preset_text import preset_text
from recombine.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class NeuralSettings:
    """What the neural scorer is and how it is trained.

    >>> NeuralSettings.of("nqg:paper", encoder="models/bert").batch
    256
    >>> print(NeuralSettings(steps=9))
    default,steps=9
    """

    encoder: str = option("", "A pretrained encoder.", metavar="FOLDER")
    """Its directory; without one, a small Transformer is trained from scratch."""
    layers: int = option(2, "Layers of the Transformer trained from scratch.")
    width: int = option(64, "The width of the Transformer trained from scratch.")
    heads: int = option(4, "Heads of the Transformer trained from scratch.")
    word_dropout: float = option(0.1, "The share of words that training shows as unknown to the same Transformer.")
    """So that unknown words have a meaning."""
    hidden: int = option(
        64,
        "The paper's d: the hidden size of both feed-forward networks and the size of a rule's embedding.",
    )
    dropout: float = option(
        0.3, "Within the Transformer trained from scratch, and on what the feed-forward networks read."
    )
    features: tuple[str, ...] = FEATURES
    """Features of the log-linear scorer whose weights are trained along; with none, the paper's scorer alone."""
    warm_start: bool = option(
        True, "Whether the weights of features start where the training of the log-linear scorer ends."
    )
    """Else at their prior."""
    steps: int = option(128, "Steps of training.")
    batch: int = option(256, "Examples of a step.")
    rate: float = option(3e-4, "The highest learning rate.")
    """It rises over the first tenth of the steps and then falls to 0 in a straight line."""
    decay: float = option(0.01, "The weight decay of the network.")

    def __post_init__(self) -> None:
        unknown = next((name for name in self.features if name not in FEATURES), None)
        if unknown is not None:
            raise UnknownNameError("feature", unknown, FEATURES)
        for name in ("layers", "width", "heads", "hidden", "steps", "batch"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a whole number of 1 or more")
        for name in ("word_dropout", "dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a share of at least 0 and under 1")
        if not 0 < self.rate < float("inf"):
            raise OptionError(f"rate is {self.rate}", "give a number above 0")
        if not 0 <= self.decay < float("inf"):
            raise OptionError(f"decay is {self.decay}", "give a number of 0 or more")
        if self.width % self.heads:
            raise OptionError(f"{self.heads} heads do not divide the width {self.width}", "choose heads that do")

    @classmethod
    def of(cls, preset: str = "default", **changes: Any) -> NeuralSettings:
        """The settings of a preset with some of them changed."""
        if preset not in PRESETS:
            raise UnknownNameError("preset", preset, PRESETS)
        return cls.from_dict({**asdict(PRESETS[preset]), **changes})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> NeuralSettings:
        """From plain values; a key that is no setting is an error."""
        known = {field.name for field in fields(cls)}
        unknown = next((name for name in values if name not in known), None)
        if unknown is not None:
            raise UnknownNameError("setting", unknown, known)
        return cls(**{**values, "features": tuple(values.get("features", FEATURES))})

    def __str__(self) -> str:
        """The preset that needs the fewest changes, and the changes: what a signature says."""
        return preset_text(self, PRESETS)


PRESETS = {
    "default": NeuralSettings(),
    # App. A.3 and B.1: d 256, 256 steps, batch 256, rate 1e-4. The paper's encoders are BERT Base and BERT Tiny, so
    # `encoder` is to be given.
    "nqg:paper": NeuralSettings(hidden=256, steps=256, batch=256, rate=1e-4, dropout=0.1, features=()),
    # The same form of score with a Transformer from scratch.
    "nqg:scratch": NeuralSettings(rate=3e-3, dropout=0.1, features=()),
}
"""Settings by name."""
