"""A trained verifier put into its folder, with thresholds from labelled pairs and what it is like at judged ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from recombine.models.pictures.verifier.verifier_arrays import JUDGED, LABELLED
from recombine.models.pictures.verifier.verifier_folder import SavedVerifier
from recombine.models.pictures.verifier.verifier_quality import adjusted, qualities
from recombine.scenes.related.verifier import Thresholds

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from recombine.models.pictures.nets.detector import Detector
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.models.pictures.verifier.train_verifier import TrainedFolds
    from recombine.models.pictures.verifier.verifier_arrays import VerifierArrays


def save_trained(
    folder: Path | str,
    trained: TrainedFolds,
    detector: Detector,
    arrays: VerifierArrays,
    presence: NDArray[np.float32],
    *,
    settings: PictureSettings,
    device: str,
    seconds: float,
    half: bool = False,
) -> SavedVerifier:
    """Write a verifier; what it is like is noted at the paper's thresholds and at the adjusted ones."""
    rows = arrays.rows(LABELLED)
    there = arrays.texts.present > 0
    thresholds = adjusted(presence[rows], there[rows], arrays.pairs.type[rows])
    notes: dict[str, Any] = {
        "device": device,
        "seconds": round(seconds, 1),
        "best_steps": list(trained.progress.best_steps),
        "curves": trained.progress.curves,
        "quality": {
            name: _noted(presence, there, arrays, part, chosen)
            for part, where in ((LABELLED, "labelled"), (JUDGED, "judged"))
            for how, chosen in (("paper", Thresholds()), ("adjusted", thresholds))
            for name in (f"{where}, {how}",)
        },
    }
    saved = SavedVerifier(
        settings, detector, trained.weights(), arrays.words, thresholds, arrays.region_seed, arrays.pictures.side, notes
    )
    saved.write(folder, half=half)
    return saved


def _noted(
    presence: NDArray[np.float32], there: NDArray[np.bool_], arrays: VerifierArrays, part: int, chosen: Thresholds
) -> dict[str, Any]:
    rows = arrays.rows(part)
    made = qualities(presence[rows], there[rows], arrays.pairs.type[rows], chosen)
    return {name: {**asdict(each), "precision": each.precision, "recall": each.recall} for name, each in made.items()}
