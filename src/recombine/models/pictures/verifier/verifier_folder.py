"""The folder of a trained verifier: its detector, a reader for each fold, its words, thresholds and how it was made."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import make_folder, read_bytes, read_text, write_whole
from recombine.models.pictures.nets.detector import Detector
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.training.stage_store import load_stage, save_stage
from recombine.scenes.related.verifier import Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

VERIFIER, DETECTOR, READER = "verifier.json", "detector.safetensors", "fold{}.safetensors"
FORM = "verifier/1"
_REMEDY = "train one: docs/scenes.md says how"


@dataclass
class SavedVerifier:
    """What a folder holds."""

    settings: PictureSettings
    detector: Detector
    readers: Sequence[dict[str, Tensor]]
    words: Sequence[str]
    thresholds: Thresholds
    region_seed: int
    side: int
    notes: dict[str, Any]

    def write(self, folder: Path | str, *, half: bool = False) -> None:
        """Write it; `verifier.json` comes last, so that a folder without one is not whole."""
        path = make_folder(folder)
        names = {
            "names": json.dumps(list(self.detector.names)),
            "attributes": json.dumps(list(self.detector.attributes)),
        }
        save_stage(path / DETECTOR, self.detector.state(), names, half=half)
        for fold, weights in enumerate(self.readers):
            save_stage(path / READER.format(fold), weights, half=half)
        record = {
            "form": FORM,
            "settings": self.settings.to_dict(),
            "folds": len(self.readers),
            "words": list(self.words),
            "thresholds": asdict(self.thresholds),
            "region_seed": self.region_seed,
            "side": self.side,
            "notes": self.notes,
        }
        write_whole(path / VERIFIER, json.dumps(record, indent=1).encode() + b"\n")


def read_verifier_folder(folder: Path) -> SavedVerifier:
    """What such a folder holds; one that is not whole is refused."""
    if not (folder / VERIFIER).is_file():
        raise InputFileError(f"{folder}: holds no verifier, since it has no {VERIFIER}", _REMEDY)
    try:
        said = json.loads(read_text(folder / VERIFIER))
        if said["form"] != FORM:
            raise InputFileError(f"{folder}: is a verifier of the form {said['form']}", _REMEDY)
        settings = PictureSettings.from_dict(said["settings"])
        weights, names = load_stage(folder / DETECTOR)
        nouns, attributes = (json.loads(names[key]) for key in ("names", "attributes"))
        return SavedVerifier(
            settings,
            Detector.from_state(settings, nouns, attributes, weights),
            [load_stage(folder / READER.format(fold))[0] for fold in range(said["folds"])],
            said["words"],
            Thresholds(**said["thresholds"]),
            said["region_seed"],
            said["side"],
            said["notes"],
        )
    except (ValueError, KeyError, TypeError, RuntimeError) as error:
        raise InputFileError(f"{folder}: holds no whole verifier ({error})", _REMEDY) from None


def verifier_name(folder: Path | str) -> str:
    """A name that tells a verifier from others: with a digest of its weights, words and thresholds."""
    path = Path(folder)
    saved = read_verifier_folder(path)
    made = hashlib.blake2b(json.dumps([list(saved.words), asdict(saved.thresholds)]).encode(), digest_size=8)
    for file in (DETECTOR, *(READER.format(fold) for fold in range(len(saved.readers)))):
        made.update(hashlib.blake2b(read_bytes(path / file)).digest())
    return f"looks@{made.hexdigest()[:8]}"
