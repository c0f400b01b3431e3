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

from recombine.data_cache import code_digest, content_key, drop_stored_folder, stored_folder
from recombine.errors import InputFileError
from recombine.files import read_text, write_whole
from recombine.models.model_file import file_digest
from recombine.models.pictures.arrays.words import Words
from recombine.progress import bar, note
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from torch import Tensor

    from recombine.models.pictures.making.other_world import OtherWorld
    from recombine.models.pictures.nets.detector import Detector
    from recombine.models.pictures.picture_settings import PictureSettings

STAGE, DIGEST = "stage.safetensors", "stage.digest"
PIXELS = "pixels"
Tensors = dict[str, Any]
_SAID = ("names", "attributes", "words")


@dataclass
class KeptStages:
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
            save_stage(folder / STAGE, tensors, {each: json.dumps(value) for each, value in said.items()})
            write_whole(folder / DIGEST, file_digest(folder / STAGE).encode())

        for _ in range(2):
            folder = stored_folder(key, make)
            if made:
                return made[0]
            if folder is None:
                with tempfile.TemporaryDirectory() as scratch:
                    make(Path(scratch))
                return made[0]
            try:
                if file_digest(folder / STAGE) != read_text(folder / DIGEST):
                    raise InputFileError(f"{folder / STAGE}: is damaged")
                tensors, metadata = load_stage(folder / STAGE)
                said = {each: json.loads(metadata[each]) for each in _SAID if each in metadata}
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
        from recombine.models.pictures.training.train_grounding import train_grounding
        from recombine.models.pictures.training.windows import as_windows, window_meanings

        detector = self.detector
        texts, pictures = self.other.descriptions, self.other.pictures.arrays
        words = Words.of(texts.words)
        grounding = texts.arrays(words)
        if self.settings.variant == PIXELS:
            grounding, pictures = window_meanings(grounding, pictures), as_windows(pictures)
        features = detector.features(pictures, device=self.device)
        with bar("training the grounding", counts="steps") as update:
            made = train_grounding(
                features,
                pictures.without_names(),
                grounding,
                self.settings,
                words=len(words),
                seed=self.other.settings.other_seed,
                device=self.device,
                loop=telling(update),
            )
        assert made is not None  # noqa: S101  # there is no deadline
        return made.weights_of(0), {"words": list(words.listed)}


def telling(update: Callable[[int, int | None, str], None] | None) -> Any:
    """A loop of training that tells a bar how far it is."""
    from recombine.models.pictures.training.loop import Loop

    def stepped(_: str, step: int, steps: int) -> None:
        if update is not None:
            update(step, steps, "")

    return Loop(stepped=stepped, warn=note)
