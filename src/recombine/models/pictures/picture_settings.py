"""What a picture model is and how its three stages are trained, as one frozen value that is written into every result."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIANTS = ("regions", "pixels", "text", "randneg", "no-grounding")
"""`randneg` is trained as `regions` is: on questions whose distractors were drawn at random."""
CHECKPOINTS = ("lxmert", "transformers")
"""Kinds of pretrained checkpoints: `lxmert:DIR`, which takes one picture, `transformers:DIR`, which takes several."""
IMAGES = 5
"""The most pictures of a question."""
_COUNTS = (
    "width",
    "heads",
    "text_layers",
    "region_layers",
    "image_layers",
    "filter_width",
    "features",
    "crop",
    "detector_steps",
    "detector_batch",
    "grounding_steps",
    "grounding_batch",
    "steps",
    "batch",
    "warmup",
    "curve",
)
_GROUNDING = (
    "width",
    "heads",
    "text_layers",
    "region_layers",
    "filter_width",
    "warmup",
    "clip",
    "beta1",
    "beta2",
    "grounded",
)
_DETECTOR = ("features", "crop", "detector_steps", "detector_batch", "detector_rate")


@dataclass(frozen=True, kw_only=True)
class PictureSettings:
    """Settings of one model; the defaults are of a size that answers 95 of 100 questions about synthetic pictures.

    >>> PictureSettings(variant="text").width
    256
    """

    variant: str = option(
        "regions",
        "What it sees: regions of pictures; pixels, windows of a fixed grid; text, no picture; randneg, regions with "
        "training questions of random distractors; no-grounding, regions without the second stage; "
        "lxmert:DIR and transformers:DIR, a pretrained checkpoint of a directory that takes one picture, or several.",
    )
    width: int = option(256, "The width of each layer.")
    heads: int = option(8, "The heads of attention.")
    text_layers: int = option(3, "Layers that read the text alone.")
    region_layers: int = option(4, "Layers of the regions, each of which reads the text and the other regions.")
    image_layers: int = option(2, "Layers over the pictures of a question.")
    filter_width: int = option(512, "The width within feed-forward networks.")
    features: int = option(192, "Numbers that the detector gives for a region.")
    crop: int = option(28, "The side of a region as the detector sees it, in pixels.")
    grounded: bool = option(
        True, "Whether a picture's vector also sums up the regions that words of the question mean."
    )
    detector_steps: int = option(1500, "Steps of training of the detector.")
    detector_batch: int = option(1024, "Regions of a batch of the detector.")
    detector_rate: float = option(2e-3, "The highest learning rate of the detector.")
    grounding_steps: int = option(1000, "Steps of training on descriptions.")
    grounding_batch: int = option(1024, "Descriptions of a batch.")
    grounding_rate: float = option(8e-4, "The highest learning rate on descriptions.")
    steps: int = option(2400, "Steps of training on questions.")
    batch: int = option(512, "Questions of a batch; an even number, as twins are in one batch.")
    rate: float = option(6e-4, "The highest learning rate on questions.")
    warmup: int = option(200, "Steps over which a rate rises from 0; then it falls to 0 in a line.")
    clip: float = option(1.0, "The norm that gradients are cut down to; 0 leaves them alone.")
    beta1: float = option(0.9, "Of Adam: the decay of the mean of gradients.")
    beta2: float = option(0.98, "Of Adam: the decay of the mean of their squares.")
    curve: int = option(200, "Steps between looks at the dev part; the best of them is kept.")
    patience: int = option(0, "Looks without a better one after which training stops; 0 trains to the last step.")

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS and not self.tunes:
            raise UnknownNameError("variant", self.variant, (*VARIANTS, *(f"{kind}:DIR" for kind in CHECKPOINTS)))
        for name in _COUNTS:
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a whole number of 1 or more")
        if self.batch % 2:
            raise OptionError(f"the batch is {self.batch}", "give an even number: twins are in one batch")
        if self.width % self.heads:
            raise OptionError(f"{self.heads} heads do not divide the width {self.width}", "choose heads that do")
        if self.patience < 0 or self.clip < 0:
            name = "patience" if self.patience < 0 else "clip"
            raise OptionError(f"{name} is {getattr(self, name)}", "give 0 or more")

    @property
    def tunes(self) -> bool:
        """Whether it is a pretrained checkpoint of a local directory."""
        kind, _, folder = self.variant.partition(":")
        return kind in CHECKPOINTS and bool(folder)

    @property
    def looks(self) -> bool:
        """Whether it sees the pictures at all."""
        return self.variant != "text"

    @property
    def grounds(self) -> bool:
        """Whether its reader is trained on descriptions first."""
        return self.variant not in ("text", "no-grounding")

    def detector_part(self) -> dict[str, Any]:
        """The settings that decide the detector."""
        return {name: getattr(self, name) for name in _DETECTOR}

    def grounding_part(self) -> dict[str, Any]:
        """The settings that decide the grounding, given a detector."""
        own = {name: getattr(self, name) for name in _GROUNDING}
        trained = {name: getattr(self, name) for name in ("grounding_steps", "grounding_batch", "grounding_rate")}
        return {**own, **trained, "pixels": self.variant == "pixels"}

    def to_dict(self) -> dict[str, Any]:
        """As plain values for a JSON file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PictureSettings:
        """From plain values; a key that is no setting is an error.

        >>> PictureSettings.from_dict({"width": 64}).width
        64
        """
        known = {each.name for each in fields(cls)}
        for name in values:
            if name not in known:
                raise UnknownNameError("setting", name, known)
        return cls(**values)
