"""The first two stages of a study, trained once for all its cells and stored under the key of all that decides them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from recombine.models.pictures.nets.detector import Detector
from recombine.models.pictures.training.stage_store import load_stage, save_stage, stage_key
from recombine.models.pictures.training.train_detector import detector_accuracy, train_detector
from recombine.models.pictures.training.train_grounding import train_grounding
from recombine.models.pictures.training.windows import as_windows, window_meanings

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.models.pictures.study_folder import PictureStudy
    from recombine.models.pictures.training.loop import Loop

    Ready = tuple["NDArray[np.float16]", "PictureArrays", "dict[str, Tensor] | None"]


class Stages:
    """Detector and grounding of a study, made when they are first needed."""

    def __init__(self, study: PictureStudy, work: Path, stored: Path | None, loop: Loop, device: str) -> None:
        self.study, self.work, self.stored, self.loop, self.device = study, work, stored, loop, device
        self.notes: dict[str, Any] = {}
        self._detectors: dict[str, Detector] = {}
        self._seen: dict[tuple[str, str], NDArray[np.float16]] = {}
        self._used: dict[str, Path] = {}
        self._digests = (study.other.digest(), study.grounding.digest())

    def ready(self, settings: PictureSettings) -> Ready | None:
        """Features, pictures and the reader's weights for a cell of these settings; none where time was over."""
        windows = settings.variant == "pixels"
        pictures = as_windows(self.study.pictures) if windows else self.study.pictures
        key = self._detector_key(settings)
        features = self._features(settings, "windows" if windows else "regions", pictures)
        if not settings.grounds:
            return features, pictures, None
        start = self._grounding(settings, key, windows=windows)
        return None if start is None else (features, pictures, start)

    def copy_to(self, folder: Path, *, half: bool) -> None:
        """Write the stages that were used into a folder."""
        for name, path in self._used.items():
            tensors, metadata = load_stage(path)
            save_stage(folder / name, tensors, metadata, half=half)

    def detector(self, settings: PictureSettings) -> Detector:
        """The detector of these settings, from a file or trained."""
        key = self._detector_key(settings)
        if key in self._detectors:
            return self._detectors[key]
        other = self.study.other
        path = self._find(f"detector-{key}.safetensors")
        if path.exists():
            tensors, _ = load_stage(path, key)
            made = Detector.from_state(settings, other.name_list, other.attribute_list, tensors)
        else:
            began = time.monotonic()
            made = train_detector(other, settings, device=self.device)
            seconds = time.monotonic() - began
            names, attributes = detector_accuracy(made, other.rows(range(min(500, len(other)))), device=self.device)
            save_stage(path, made.state(), {"key": key})
            self.notes["detector"] = {"seconds": round(seconds, 1), "names": names, "attributes": attributes}
            self.loop.say(
                f"detector: {seconds:.1f} s, names {names:.4f}, attributes {attributes:.4f} (pictures it saw)"
            )
        self._used[path.name] = path
        self._detectors[key] = made
        return made

    def _detector_key(self, settings: PictureSettings) -> str:
        return stage_key(self._digests[0], settings.detector_part())

    def _find(self, name: str) -> Path:
        """Where a stage is stored, or will be."""
        if self.stored is not None and (self.stored / name).exists():
            return self.stored / name
        return self.work / name

    def _features(self, settings: PictureSettings, what: str, pictures: PictureArrays) -> NDArray[np.float16]:
        key = (self._detector_key(settings), what)
        if key not in self._seen:
            self._seen[key] = self.detector(settings).features(pictures, device=self.device)
        return self._seen[key]

    def _grounding(self, settings: PictureSettings, detector: str, *, windows: bool) -> dict[str, Tensor] | None:
        """The weights of the reader, from a file or trained."""
        study = self.study
        key = stage_key(detector, self._digests[1], settings.grounding_part(), len(study.words))
        path = self._find(f"grounding-{key}.safetensors")
        if path.exists():
            self._used[path.name] = path
            return load_stage(path, key)[0]
        pictures = as_windows(study.other) if windows else study.other
        grounding = window_meanings(study.grounding, study.other) if windows else study.grounding
        features = self._features(settings, "other windows" if windows else "other regions", pictures)
        trained = train_grounding(
            features,
            pictures,
            grounding,
            settings,
            words=len(study.words),
            device=self.device,
            loop=self.loop,
            name=path.stem,
        )
        if trained is None:
            return None
        first = trained.program.first_noun(trained.stack.parameters.weights, trained.stack.replicas[0].dev[:4000])
        self.notes[path.stem] = {
            "seconds": round(trained.progress.seconds, 1),
            "curve": trained.progress.curves["grounding"],
            "first noun wholly right": first,
        }
        self.loop.say(f"{path.stem}: first noun wholly right {first}")
        save_stage(path, trained.weights_of(0), {"key": key})
        self._used[path.name] = path
        return trained.weights_of(0)
