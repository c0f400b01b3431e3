"""The three stages learn what there is to learn in a world of colored squares."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from tests.models.pictures.colors import ANSWERS, SETTINGS, WORDS, descriptions, questions, squares  # noqa: E402

from recombine.errors import InputFileError, OptionError  # noqa: E402
from recombine.models.pictures.training.stage_store import load_stage, save_stage  # noqa: E402
from recombine.models.pictures.training.train_detector import detector_accuracy, train_detector  # noqa: E402
from recombine.models.pictures.training.train_grounding import train_grounding  # noqa: E402
from recombine.models.pictures.training.train_questions import train_questions  # noqa: E402


def test_detector_and_grounding() -> None:
    other = squares(60, 1, names=True)
    settings = replace(SETTINGS, features=24, detector_steps=150, grounding_steps=80)
    detector = train_detector(other.pictures, settings, seed=0)
    names, attributes = detector_accuracy(detector, squares(20, 5, names=True).pictures)
    assert names > 0.95
    assert attributes > 0.95
    features = detector.features(other.pictures)
    real = features[np.arange(4) < other.pictures.regions[:, None]].astype(np.float32)
    np.testing.assert_allclose(real.mean(0), 0, atol=0.02)  # standardised on these pictures
    assert (features[np.arange(4) >= other.pictures.regions[:, None]] == 0).all()
    grounding = train_grounding(features, other.pictures, descriptions(other, 300, 3), settings, words=len(WORDS))
    assert grounding is not None
    unseen = squares(30, 7, names=True)
    texts = descriptions(unseen, 60, 8)
    grounding.program.tables.features[:30] = torch.from_numpy(detector.features(unseen.pictures)).float()
    grounding.program.tables.regions[:30] = torch.from_numpy(unseen.pictures.regions.astype(np.int64))
    grounding.program._tokens[:60] = torch.from_numpy(texts.tokens.astype(np.int64))
    grounding.program._picture[:60] = torch.from_numpy(texts.picture.astype(np.int64))
    scores, presence = grounding.judge([np.arange(60)])[0]
    gold = (texts.means[:, :1] >> np.arange(4)) & 1
    assert ((scores[:, 0] > 0.5) == gold).mean() > 0.95
    assert ((presence > 0.5) == (texts.present > 0)).mean() > 0.85


def test_pictures_without_names_teach_no_detector() -> None:
    with pytest.raises(OptionError, match="have no names"):
        train_detector(squares(3, 0, names=False).pictures, SETTINGS)


def test_a_variant_that_grounds_needs_grounding() -> None:
    world = squares(3, 0, names=False)
    with pytest.raises(OptionError, match="the variant regions without grounding"):
        train_questions(
            np.zeros((3, 4, 8), np.float16), world.pictures, questions(world, 4, 0), SETTINGS,
            words=len(WORDS), answers=len(ANSWERS), replicas=[],
        )  # fmt: skip


def test_a_stage_of_another_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stage.safetensors"
    save_stage(path, {"a": torch.tensor([1.0, 2.5])}, {"key": "one"}, half=True)
    assert load_stage(path, "one")[0]["a"].tolist() == [1.0, 2.5]
    with pytest.raises(InputFileError, match="is a stage of other data or settings"):
        load_stage(path, "two")
