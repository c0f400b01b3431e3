"""The first two stages of a picture model, kept in the cache under all that decides them and used again.

A detector depends on other scenes and their pictures; grounding on these, their descriptions and the detector. Neither
depends on questions, so that models of all splits and seeds share them. A stage whose file is damaged is trained again.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.data_cache import code_digest, content_key, drop_stored_folder, stored_folder
from recombine.errors import InputFileError
from recombine.models.pictures.arrays.words import Words
from recombine.progress import bar, note
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from torch import Tensor

    from recombine.models.pictures.arrays.other_world import OtherWorld
    from recombine.models.pictures.nets.detector import Detector
    from recombine.models.pictures.picture_settings import PictureSettings

STAGE = "stage.safetensors"
Tensors = dict[str, Any]
_HELD_OUT = 50
"""Of so many descriptions one is kept aside, by which the best look is kept."""


@dataclass
class Stages:
    """Trains or finds the detector and the grounding of some settings."""

    settings: PictureSettings
    other: OtherWorld
    device: str
    used_again: list[str] = field(default_factory=list)
    """The stages that were found in the cache."""

    @cached_property
    def detector(self) -> Detector:
        """The detector."""
        from recombine.models.pictures.nets.detector import Detector

        tensors, said = self._stage("detector", self._key("detector", self.settings.detector_part()), self._see)
        return Detector.from_state(self.settings, said["names"], said["attributes"], tensors)

    @cached_property
    def grounding(self) -> tuple[Mapping[str, Tensor], Words]:
        """The weights of a reader that was trained on descriptions, and its words."""
        key = self._key("grounding", {**self.settings.detector_part(), **self.settings.grounding_part()})
        tensors, said = self._stage("grounding", key, self._ground)
        return tensors, Words(tuple(said["words"]))

    def _key(self, stage: str, part: Mapping[str, Any]) -> str:
        """The key of a stage: everything that decides it."""
        described = stage == "grounding"
        arrays = self.other.settings
        made = {
            "stage": stage,
            "settings": dict(part),
            "other": self.other.digest,
            "seed": arrays.other_seed,
            "regions": repr(arrays.regions),
            "side": arrays.side,
            "descriptions": [arrays.descriptions, repr(arrays.texts)] if described else None,
            "device": self.device.partition(":")[0],
            "version": __version__,
        }
        rooms = ("models/pictures", *(("scenes/subgraphs",) if described else ()), "scenes/synthetic")
        return content_key([json.dumps(made, sort_keys=True).encode(), code_digest(rooms)])

    def _stage(
        self, name: str, key: str, train: Callable[[], tuple[Tensors, dict[str, Any]]]
    ) -> tuple[Tensors, dict[str, Any]]:
        """A stage from the cache, or trained and kept there."""
        from recombine.models.pictures.training.stage_store import load_stage, save_stage

        made: list[tuple[Tensors, dict[str, Any]]] = []

        def make(folder: Path) -> None:
            made.append(train())
            tensors, said = made[0]
            save_stage(folder / STAGE, tensors, {key: json.dumps(value) for key, value in said.items()})

        for _ in range(2):
            folder = stored_folder(key, make)
            if made:
                return made[0]
            if folder is None:
                with tempfile.TemporaryDirectory() as scratch:
                    make(Path(scratch))
                return made[0]
            try:
                tensors, metadata = load_stage(folder / STAGE)
                said = {name: json.loads(value) for name, value in metadata.items() if name in ("names", "attributes", "words")}
            except InputFileError as error:
                note(f"{error.problem}; the {name} is trained again")
                drop_stored_folder(key)
                continue
            self.used_again.append(name)
            return dict(tensors), said
        raise InputFileError(f"the stored {name} cannot be read", "clear the cache with `recombine cache clear`")

    def _see(self) -> tuple[Tensors, dict[str, Any]]:
        """Train the detector."""
        from recombine.models.pictures.training.train_detector import train_detector

        pictures = self.other.pictures.arrays
        with bar("training the detector", counts="steps") as update:

            def stepped(step: int, steps: int) -> None:
                if update is not None:
                    update(step, steps, "")

            seed = self.other.settings.other_seed
            made = train_detector(pictures, self.settings, seed=seed, device=self.device, stepped=stepped)
        return made.state(), {"names": list(made.names), "attributes": list(made.attributes)}

    def _ground(self) -> tuple[Tensors, dict[str, Any]]:
        """Train the grounding."""
        from recombine.models.pictures.training.stack import Replica
        from recombine.models.pictures.training.train_grounding import train_grounding

        detector = self.detector
        texts = self.other.descriptions
        words = Words.of(texts.words)
        grounding = texts.arrays(words)
        pictures = self.other.pictures.arrays
        features = detector.features(pictures, device=self.device)
        rows = np.arange(len(grounding), dtype=np.int64)
        aside = (rows % _HELD_OUT == _HELD_OUT - 1) & (len(rows) > _HELD_OUT)
        replica = Replica("grounding", self.other.settings.other_seed, rows[~aside], rows[aside])
        with bar("training the grounding", counts="steps") as update:
            made = train_grounding(
                features,
                pictures.without_names(),
                grounding,
                self.settings,
                replicas=[replica],
                words=len(words),
                device=self.device,
                loop=telling(update),
            )
        return {name: value.float().cpu() for name, value in made.weights.items()}, {"words": list(words.listed)}


def telling(update: Callable[[int, int | None, str], None] | None) -> Any:
    """A loop of training that tells a bar how far it is."""
    from recombine.models.pictures.training.loop import Loop

    def stepped(_: str, step: int, steps: int) -> None:
        if update is not None:
            update(step, steps, "")

    return Loop(stepped=stepped, warn=note)
