"""Regions cut out of pictures, against pixels picked by hand."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.models.pictures.nets.crops import cut_regions  # noqa: E402


def test_a_box_of_its_own_size_is_its_pixels() -> None:
    pixels = torch.randint(0, 256, (2, 8, 8, 3), dtype=torch.uint8)
    boxes = torch.tensor([[[2, 1, 6, 5], [0, 0, 4, 4]]] * 2) / 8.0
    cut = cut_regions(pixels, boxes, 4)
    assert cut.shape == (4, 3, 4, 4)
    for picture in range(2):
        for region, (x, y) in enumerate(((2, 1), (0, 0))):
            wanted = pixels[picture, y : y + 4, x : x + 4].permute(2, 0, 1) / 127.5 - 1
            assert torch.allclose(cut[2 * picture + region], wanted, atol=1e-4)


def test_a_wide_box_is_stretched_to_a_square() -> None:
    pixels = torch.zeros(1, 8, 8, 3, dtype=torch.uint8)
    pixels[0, :, 4:] = 255
    cut = cut_regions(pixels, torch.tensor([[[0, 0.25, 1, 0.5]]]), 4)
    assert (cut[0, 0].sign() == torch.tensor([-1, -1, 1, 1])).all()
