"""A world of colored squares on a white ground: what a picture model must see can be worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.arrays.question_arrays import QuestionArrays
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.study_folder import PictureCell, PictureStudy

COLORS = np.array([[250, 0, 0], [0, 250, 0], [0, 0, 250]], dtype=np.uint8)
WORDS = ("", "<unknown>", "a", "red", "green", "blue", "how-many")
ANSWERS = tuple(map(str, range(10)))
SIDE, REGIONS = 24, 4
SETTINGS = PictureSettings(
    width=16, heads=2, text_layers=1, region_layers=1, image_layers=1, filter_width=16, features=8, crop=8,
    detector_steps=60, detector_batch=64, grounding_steps=20, grounding_batch=32, steps=12, batch=16, warmup=4, curve=6,
    grounding_rate=3e-3, rate=3e-3,
)  # fmt: skip


@dataclass(frozen=True)
class Squares:
    """Pictures and the color of each region; -1 is ground."""

    pictures: PictureArrays
    colors: NDArray[np.int16]


def squares(count: int, seed: int, *, names: bool, prefix: str = "s") -> Squares:
    """Pictures of up to four squares."""
    g = np.random.default_rng(seed)
    pixels = np.full((count, SIDE, SIDE, 3), 255, np.uint8)
    boxes = np.zeros((count, REGIONS, 4), np.float32)
    regions = g.integers(1, REGIONS + 1, count).astype(np.int16)
    colors = np.full((count, REGIONS), -1, np.int16)
    for picture in range(count):
        for region, cell in enumerate(g.permutation(4)[: regions[picture]]):
            x, y, color = cell % 2 * 12 + 1, cell // 2 * 12 + 1, g.integers(-1, 3)
            colors[picture, region] = color
            if color >= 0:
                pixels[picture, y : y + 10, x : x + 10] = COLORS[color]
            boxes[picture, region] = np.array([x, y, x + 10, y + 10]) / SIDE
    made = PictureArrays([f"{prefix}{n}" for n in range(count)], pixels, boxes, regions)
    if names:
        made.names, made.name_list = colors, ["red", "green", "blue"]
        made.attributes, made.attribute_list = np.stack([colors == 0, colors > 0], -1), ["warm", "cold"]
    return Squares(made, colors)


def descriptions(world: Squares, count: int, seed: int) -> GroundingArrays:
    """Texts such as `a red`, and the squares of that color."""
    g = np.random.default_rng(seed)
    picture = g.integers(0, len(world.colors), count).astype(np.int32)
    color = g.integers(0, 3, count)
    tokens = np.stack([np.full(count, 2), 3 + color, np.zeros(count)], 1).astype(np.int16)
    meant = world.colors[picture] == color[:, None]
    means = (meant * (1 << np.arange(REGIONS))).sum(1).astype(np.uint32)[:, None]
    nouns, sides = np.ones((count, 1), np.int16), np.zeros((count, 1), np.int8)
    return GroundingArrays(tokens, picture, nouns, means, sides, (means[:, 0] > 0).astype(np.int8))


def questions(world: Squares, count: int, seed: int) -> QuestionArrays:
    """Texts such as `how-many red`, about up to five pictures."""
    g = np.random.default_rng(seed)
    pictures, answer = np.full((count, 5), -1, np.int32), np.zeros(count, np.int16)
    tokens = np.zeros((count, 3), np.int16)
    for row in range(count):
        number, color = g.integers(1, 6), g.integers(0, 3)
        pictures[row, :number] = g.integers(0, len(world.colors), number)
        tokens[row, :2] = [6, 3 + color]
        answer[row] = min(9, (world.colors[pictures[row, :number]] == color).sum())
    pair = (np.arange(count) // 2).astype(np.int32)
    ids = [f"q{row}" for row in range(count)]
    return QuestionArrays(tokens, pictures, answer, pair, np.zeros(count, np.int16), ids, ["COUNT"])


def study(cells: list[PictureCell], **settings: Any) -> PictureStudy:
    """A small study of counting."""
    other, asked = squares(40, 1, names=True, prefix="o"), squares(30, 2, names=False)
    rows = {"train": np.arange(60), "half": np.arange(30), "dev": np.arange(60, 70), "test": np.arange(70, 90)}
    rows["empty"] = np.zeros(0, np.int64)
    return PictureStudy(
        WORDS,
        ANSWERS,
        asked.pictures,
        other.pictures,
        descriptions(other, 120, 3),
        questions(asked, 90, 4),
        {name: each.astype(np.int32) for name, each in rows.items()},
        tuple(cells),
        {**SETTINGS.to_dict(), **settings},
    )
