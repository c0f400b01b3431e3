"""Windows of a grid instead of boxes."""

from __future__ import annotations

import numpy as np
from tests.models.pictures.colors import descriptions, squares

from recombine.models.pictures.training.windows import as_windows, window_boxes, window_meanings


def test_windows_cover_the_picture_and_overlap_by_half() -> None:
    boxes = window_boxes()
    assert boxes.shape == (25, 4)
    np.testing.assert_allclose(boxes[0], [0, 0, 1 / 3, 1 / 3], atol=1e-6)
    np.testing.assert_allclose(boxes[1], [1 / 6, 0, 1 / 2, 1 / 3], atol=1e-6)
    np.testing.assert_allclose(boxes[-1], [2 / 3, 2 / 3, 1, 1], atol=1e-6)


def test_nothing_of_the_boxes_is_left() -> None:
    world = squares(5, 0, names=True)
    seen = as_windows(world.pictures)
    assert seen.names is None
    assert (seen.boxes == window_boxes()).all()
    assert (seen.regions == 25).all()


def test_a_noun_means_the_windows_of_its_regions() -> None:
    # Middles of windows are at 1/6, 2/6 … 5/6 of each side. A box about (0.3, 0.2) is nearest to the second window of
    # the first row, number 1; one about (0.8, 0.7) to the fifth of the fourth row, number 19.
    world = squares(1, 0, names=True)
    world.pictures.boxes[0, :2] = [[0.2, 0.1, 0.4, 0.3], [0.7, 0.6, 0.9, 0.8]]
    before = descriptions(world, 3, 1)
    before.means[:, 0] = [0, 0b10, 0b11]
    assert window_meanings(before, world.pictures).means[:, 0].tolist() == [0, 1 << 19, 1 << 19 | 1 << 1]
