"""How arrays are made of scenes, pictures and questions."""

from __future__ import annotations

from dataclasses import dataclass, field

from recombine.models.pictures.making.make_descriptions import DescriptionSettings
from recombine.models.pictures.making.read_pixels import SIDE
from recombine.models.pictures.making.region_boxes import RegionSettings


@dataclass(frozen=True)
class ArraySettings:
    """Sizes and seeds; those of the trial that the issue tells of are the defaults."""

    other_scenes: int = 8000
    """How many other scenes of the synthetic world a detector and grounding learn from."""
    descriptions: int = 480_000
    """How many texts about them."""
    other_seed: int = 1
    """The seed of the other scenes and their texts."""
    region_seed: int = 0
    """The seed of jitter, order and background of regions."""
    side: int = SIDE
    regions: RegionSettings = field(default_factory=RegionSettings)
    texts: DescriptionSettings = field(default_factory=DescriptionSettings)
