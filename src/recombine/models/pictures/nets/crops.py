"""Regions cut out of pictures, on the device that the pictures are on."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def cut_regions(pixels: Tensor, boxes: Tensor, side: int) -> Tensor:
    """Pictures (P, S, S, 3) of bytes and boxes (P, R, 4) in shares -> crops (P·R, 3, side, side) about 0.

    A pixel of a crop is read at its middle, between the four pixels of the picture around it.
    """
    p, r, _ = boxes.shape
    picture = pixels.permute(0, 3, 1, 2).float() / 127.5 - 1
    steps = (torch.arange(side, device=boxes.device) + 0.5) / side
    low, size = boxes[..., :2], boxes[..., 2:] - boxes[..., :2]
    places = (low[:, :, None] + size[:, :, None] * steps[:, None]) * 2 - 1  # (P, R, side, 2): x, and y
    x = places[:, :, None, :, 0].expand(p, r, side, side)
    y = places[:, :, :, None, 1].expand(p, r, side, side)
    grid = torch.stack([x, y], -1).view(p, r * side, side, 2)
    cut = functional.grid_sample(picture, grid, mode="bilinear", padding_mode="border", align_corners=False)
    return cut.view(p, 3, r, side, side).transpose(1, 2).reshape(p * r, 3, side, side)
