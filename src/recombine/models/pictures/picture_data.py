"""What a picture model learns to look from, and where pictures are: settings beside those of the network."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.models.pictures.making.array_settings import ArraySettings

_LARGEST_SIDE = 512


@dataclass(frozen=True, kw_only=True)
class PictureData:
    """Where pictures come from; an empty text is what stands beside the data, or the synthetic world."""

    pictures: str = option("", "The folder of the questions' pictures; default: NAME.pictures beside the scenes.")
    other_scenes: int = option(8000, "How many other scenes of the synthetic world it learns to look from.")
    descriptions: int = option(480_000, "How many descriptions of them it learns to ground.")
    other_seed: int = option(1, "The seed of the other scenes, their descriptions and the first two stages.")
    other: str = option("", "A file of other scenes of one's own, pictures beside it, in place of synthetic ones.")
    randneg: str = option(
        "", "With variant=randneg: a file of questions about the same scenes with random distractors."
    )
    side: int = option(128, "The width and height that pictures are scaled to.")
    dev_share: float = option(0.0, "The share of questions kept aside, by which the best look is kept; 0: the last.")

    def __post_init__(self) -> None:
        for name in ("other_scenes", "descriptions"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a whole number of 1 or more")
        if self.other_seed < 0:
            raise OptionError(f"other_seed is {self.other_seed}", "give a whole number of 0 or more")
        if not 16 <= self.side <= _LARGEST_SIDE:
            raise OptionError(f"the side is {self.side}", f"give one from 16 to {_LARGEST_SIDE}")
        if not 0 <= self.dev_share < 1:
            raise OptionError(f"dev_share is {self.dev_share}", "give a share of at least 0 and under 1")

    @property
    def arrays(self) -> ArraySettings:
        """How arrays are made."""
        from recombine.models.pictures.making.array_settings import ArraySettings

        return ArraySettings(
            other_scenes=self.other_scenes,
            descriptions=self.descriptions,
            other_seed=self.other_seed,
            side=self.side,
        )

    @property
    def folder(self) -> Path | None:
        """The folder of pictures that is named."""
        return Path(self.pictures) if self.pictures else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for a JSON file."""
        return asdict(self)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> PictureData:
        """Those of all settings that are here."""
        return cls(**{each.name: settings[each.name] for each in fields(cls) if each.name in settings})
