"""The detector: a small network of convolutions that says what a region shows, and the numbers it says it from.

It is trained on names and attributes of regions of other pictures, as detectors are, and then frozen: picture models
see `features` alone. The shape of the box is given to it beside the crop, which is stretched to a square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from recombine.models.pictures.nets.crops import cut_regions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.picture_settings import PictureSettings

_CHANNELS = (32, 64, 96)


class Detector(nn.Module):
    """Crops and boxes -> features; features -> names (background is the last) and attributes."""

    def __init__(self, settings: PictureSettings, names: Sequence[str], attributes: Sequence[str]) -> None:
        super().__init__()
        self.names, self.attributes, self.crop = tuple(names), tuple(attributes), settings.crop
        layers: list[nn.Module] = []
        before, side = 3, settings.crop
        for channels in _CHANNELS:
            layers += [nn.Conv2d(before, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU()]
            layers += [nn.MaxPool2d(2)]
            before, side = channels, side // 2
        self.body = nn.Sequential(*layers)
        self.feature = nn.Linear(before * side * side + 4, settings.features)
        self.name = nn.Linear(settings.features, len(self.names) + 1)
        self.attribute = nn.Linear(settings.features, len(self.attributes))
        self.mean: Tensor
        self.spread: Tensor
        self.register_buffer("mean", torch.zeros(settings.features))
        self.register_buffer("spread", torch.ones(settings.features))

    def see(self, pixels: Tensor, boxes: Tensor) -> Tensor:
        """Pictures (P, S, S, 3) and boxes (P, R, 4) -> features (P, R, F)."""
        p, r, _ = boxes.shape
        seen = self.body(cut_regions(pixels, boxes, self.crop)).flatten(1)
        size = (boxes[..., 2:] - boxes[..., :2]).view(p * r, 2)
        shape = torch.cat([size, size.log().clamp(min=-5)], 1).to(seen.dtype)
        features: Tensor = torch.relu(self.feature(torch.cat([seen, shape], 1)))
        return features.view(p, r, -1)

    @torch.no_grad()
    def features(self, pictures: PictureArrays, *, device: str = "cpu", batch: int = 64) -> NDArray[np.float16]:
        """What it sees in every region: [S, R, F], about 0 and of spread 1; zero where there is no region."""
        self.to(device).eval()
        count, most = pictures.boxes.shape[:2]
        out = np.zeros((count, most, self.feature.out_features), dtype=np.float16)
        for start in range(0, count, batch):
            part = slice(start, start + batch)
            with torch.autocast("cuda", torch.bfloat16, enabled=device.startswith("cuda")):
                seen = (self.see(*on_device(pictures, part, device)).float() - self.mean) / self.spread
            there = torch.arange(most) < torch.from_numpy(pictures.regions[part].astype(np.int64))[:, None]
            out[part] = (seen.cpu() * there[..., None]).to(torch.float16).numpy()
        return out

    def standardise(self, pictures: PictureArrays, *, device: str = "cpu") -> None:
        """Measure mean and spread of each feature on pictures, which `features` takes away from then on."""
        self.mean.zero_()
        self.spread.fill_(1)
        seen = self.features(pictures, device=device).astype(np.float32)
        real = seen[np.arange(seen.shape[1]) < pictures.regions[:, None]]
        self.mean.copy_(torch.from_numpy(real.mean(0)))
        self.spread.copy_(torch.from_numpy(np.maximum(real.std(0), 1e-2)))

    def state(self) -> dict[str, Tensor]:
        """Its weights, as a stored stage holds them."""
        kept = {name: value for name, value in self.state_dict().items() if not name.endswith("num_batches_tracked")}
        return {name: value.detach().float().cpu() for name, value in kept.items()}

    @classmethod
    def from_state(
        cls,
        settings: PictureSettings,
        names: Sequence[str],
        attributes: Sequence[str],
        state: Mapping[str, Tensor],
    ) -> Detector:
        """A detector with stored weights."""
        made = cls(settings, names, attributes)
        made.load_state_dict({name: value.float() for name, value in state.items()}, strict=False)
        return made.eval()


def on_device(pictures: PictureArrays, part: Any, device: str) -> tuple[Tensor, Tensor]:
    """Pixels and boxes of some pictures."""
    pixels, boxes = torch.from_numpy(pictures.pixels[part]), torch.from_numpy(pictures.boxes[part])
    return pixels.to(device), boxes.to(device)
