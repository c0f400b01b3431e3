"""The first stage: the detector learns names and attributes of regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from recombine.errors import OptionError
from recombine.models.pictures.nets.detector import Detector
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.picture_settings import PictureSettings


def _ignore(*_: Any) -> None:
    """Nobody listens."""


def train_detector(
    pictures: PictureArrays,
    settings: PictureSettings,
    *,
    seed: int = 0,
    device: str = "cpu",
    stepped: Callable[[int, int], None] = _ignore,
) -> Detector:
    """A detector trained on pictures with names and attributes; `stepped` gets the steps done and in all."""
    if pictures.names is None or pictures.attributes is None:
        raise OptionError("the pictures of the detector have no names", "give pictures whose regions are labelled")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        detector = Detector(settings, pictures.name_list, pictures.attribute_list)
    detector.to(device).train()
    tables = [
        torch.from_numpy(each).to(device)
        for each in (pictures.pixels, pictures.boxes, _targets(pictures), pictures.attributes)
    ]
    most = pictures.boxes.shape[1]
    batch = min(len(pictures.boxes), max(1, settings.detector_batch // most))
    optimiser = torch.optim.AdamW(detector.parameters(), lr=settings.detector_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, settings.detector_rate, total_steps=settings.detector_steps + 1, pct_start=0.2
    )
    generator = make_generator(seed)
    for step in range(settings.detector_steps):
        rows = torch.from_numpy(generator.choice(len(pictures.boxes), batch, replace=False)).to(device)
        loss = _loss(detector, *(table[rows] for table in tables), device=device)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        if step % 20 == 19 or step + 1 == settings.detector_steps:
            stepped(step + 1, settings.detector_steps)
    detector.standardise(pictures.rows(range(min(1000, len(pictures.boxes)))), device=device)
    return detector.eval()


def _targets(pictures: PictureArrays) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The class of each region: a name, background after the names, or -100 where there is no region."""
    names = np.asarray(pictures.names, dtype=np.int64).copy()
    names[names < 0] = len(pictures.name_list)
    names[np.arange(names.shape[1]) >= pictures.regions[:, None]] = -100
    return names


def _loss(
    detector: Detector,
    pixels: torch.Tensor,
    boxes: torch.Tensor,
    names: torch.Tensor,
    attributes: torch.Tensor,
    *,
    device: str,
) -> torch.Tensor:
    """Cross-entropy of names, and of each attribute of regions that have a name."""
    with torch.autocast("cuda", torch.bfloat16, enabled=device.startswith("cuda")):
        features = detector.see(pixels, boxes).flatten(0, 1)
        by_name, by_attribute = detector.name(features), detector.attribute(features)
    gold = names.flatten()
    loss = functional.cross_entropy(by_name.float(), gold, ignore_index=-100)
    named = ((gold >= 0) & (gold < len(detector.names))).float()[:, None]
    wrong = functional.binary_cross_entropy_with_logits(
        by_attribute.float(), attributes.flatten(0, 1).float(), reduction="none"
    )
    return loss + 3 * (wrong * named).sum() / (named.sum() * wrong.shape[1]).clamp(min=1)


@torch.no_grad()
def detector_accuracy(detector: Detector, pictures: PictureArrays, *, device: str = "cpu") -> tuple[float, float]:
    """The shares of regions whose name is right, and of named regions whose attributes are all right."""
    features = torch.from_numpy(detector.features(pictures, device=device)).float()
    detector.to("cpu")
    features = features * detector.spread + detector.mean
    gold = torch.from_numpy(_targets(pictures))
    real, named = gold >= 0, (gold >= 0) & (gold < len(detector.names))
    right = detector.name(features).argmax(-1) == gold
    exact = ((detector.attribute(features) > 0) == torch.from_numpy(pictures.attributes)).all(-1)
    return float(right[real].float().mean()), float(exact[named].float().mean())
