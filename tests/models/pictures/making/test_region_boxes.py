"""Regions as a detector would give them."""

from __future__ import annotations

import numpy as np

from recombine.models.pictures.making.region_boxes import RegionSettings, covered, make_regions

BOXES = np.array([[0.1, 0.1, 0.3, 0.5], [0.6, 0.6, 0.9, 0.9], [0.0, 0.7, 0.2, 1.0]])
USUAL = RegionSettings()


def test_every_object_has_one_region_near_its_box() -> None:
    orders = set()
    for number in range(40):
        made = make_regions(BOXES, f"s{number}", 0, USUAL)
        assert made.left_out == 0
        assert sorted(made.objects[made.objects >= 0].tolist()) == [0, 1, 2]
        own = made.objects >= 0
        assert np.abs(made.boxes[own] - BOXES[made.objects[own]]).max() < 6 * USUAL.jitter
        assert (made.boxes >= 0).all()
        assert (made.boxes <= 1).all()
        assert (made.boxes[:, 2:] > made.boxes[:, :2]).all()
        assert 2 <= (~own).sum() <= 4
        assert covered(made.boxes[~own].astype(float), BOXES).max() < 0.16
        orders.add(tuple(made.objects.tolist()))
    assert len(orders) > 20


def test_edges_are_jittered() -> None:
    made = [make_regions(BOXES, f"s{number}", 0, USUAL) for number in range(200)]
    first = np.concatenate([each.boxes[each.objects == 0] for each in made])
    assert 0.7 * USUAL.jitter < first[:, 0].std() < 1.3 * USUAL.jitter


def test_drawn_from_seed_and_scene_alone() -> None:
    once, again = (make_regions(BOXES, "s1", 7, USUAL) for _ in range(2))
    assert np.array_equal(once.boxes, again.boxes)
    assert not np.array_equal(once.boxes[0], make_regions(BOXES, "s1", 8, USUAL).boxes[0])
    assert not np.array_equal(once.boxes[0], make_regions(BOXES, "s2", 7, USUAL).boxes[0])


def test_of_too_many_the_largest_are_kept() -> None:
    sides = np.linspace(0.02, 0.4, 40)
    boxes = np.stack([np.zeros(40), np.zeros(40), sides, sides], axis=1)
    made = make_regions(boxes, "s1", 0, USUAL)
    assert made.left_out == 12
    assert sorted(made.objects[made.objects >= 0].tolist()) == list(range(12, 40))
    assert len(made.boxes) <= 32


def test_a_picture_without_objects() -> None:
    made = make_regions(np.zeros((0, 4)), "s1", 0, USUAL)
    assert 2 <= len(made.boxes) <= 4
    assert (made.objects == -1).all()
