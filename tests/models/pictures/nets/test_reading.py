"""Laws of the networks: what is not there changes nothing, and no order of pictures or regions does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from tests.models.pictures.colors import ANSWERS, SETTINGS, WORDS, Squares, questions, squares  # noqa: E402

from recombine.models.pictures.nets.picture_tables import PictureTables  # noqa: E402
from recombine.models.pictures.nets.region_reader import PLACE, describe_boxes  # noqa: E402
from recombine.models.pictures.nets.text_encoder import turn  # noqa: E402
from recombine.models.pictures.training.question_program import QuestionProgram  # noqa: E402
from recombine.models.seq2seq.architectures.parameters import Parameters  # noqa: E402

ASKED = 12


def scores(
    world: Squares, features: Any, asked: Any, *, looks: bool = True, weights: Mapping[str, Any] | None = None
) -> Any:
    tables = PictureTables(features, world.pictures, device="cpu", looks=looks)
    program = QuestionProgram(SETTINGS, tables, asked, len(WORDS), len(ANSWERS), "cpu")
    made = Parameters(program.parameters(), [0]).weights
    return program.probabilities(weights or made, [np.arange(len(asked))])[0]


@pytest.fixture(scope="module")
def world() -> Squares:
    return squares(20, 0, names=False)


@pytest.fixture(scope="module")
def features() -> Any:
    return np.random.default_rng(0).standard_normal((20, 4, 8)).astype(np.float16)


@pytest.fixture(scope="module")
def asked(world: Squares) -> Any:
    return questions(world, ASKED, 1)


def test_padding_of_texts_changes_nothing(world: Squares, features: Any, asked: Any) -> None:
    wider = questions(world, ASKED, 1)
    wider.tokens = np.pad(asked.tokens, ((0, 0), (0, 9)))
    np.testing.assert_allclose(scores(world, features, wider), scores(world, features, asked), atol=1e-5)


def test_what_stands_after_the_last_region_changes_nothing(world: Squares, features: Any, asked: Any) -> None:
    other, noisy = squares(20, 0, names=False), features.copy()
    after = np.arange(4) >= world.pictures.regions[:, None]
    noisy[after] = 7
    other.pictures.boxes[after] = 0.5
    np.testing.assert_allclose(scores(other, noisy, asked), scores(world, features, asked), atol=1e-5)
    there = features.copy()
    there[~after] = 7
    assert np.abs(scores(world, there, asked) - scores(world, features, asked)).max() > 1e-3


def test_orders_of_pictures_and_regions_change_nothing(world: Squares, features: Any, asked: Any) -> None:
    turned = questions(world, ASKED, 1)
    for row in range(ASKED):
        number = (turned.pictures[row] >= 0).sum()
        turned.pictures[row, :number] = turned.pictures[row, :number][::-1]
    np.testing.assert_allclose(scores(world, features, turned), scores(world, features, asked), atol=1e-5)
    other, moved = squares(20, 0, names=False), features.copy()
    for picture, number in enumerate(world.pictures.regions):
        moved[picture, :number] = features[picture, :number][::-1]
        other.pictures.boxes[picture, :number] = world.pictures.boxes[picture, :number][::-1]
    np.testing.assert_allclose(scores(other, moved, asked), scores(world, features, asked), atol=1e-5)


def test_text_alone_sees_the_number_of_pictures_and_nothing_in_them(world: Squares, features: Any, asked: Any) -> None:
    blind = scores(world, features, asked, looks=False)
    other = squares(20, 9, names=False)
    np.testing.assert_array_equal(scores(other, features[::-1].copy(), asked, looks=False), blind)
    fewer = questions(world, ASKED, 1)
    row = int(np.flatnonzero((fewer.pictures >= 0).sum(1) > 1)[0])
    fewer.pictures[row, (fewer.pictures[row] >= 0).sum() - 1] = -1
    assert np.abs(scores(world, features, fewer, looks=False)[row] - blind[row]).max() > 1e-4


def test_scores_of_words_depend_on_their_distance_alone() -> None:
    vector = torch.randn(1, 1, 1, 3 * 16).expand(1, 1, 9, 48)
    queries, keys, values = turn(vector, 2).view(9, 3, 2, 8).unbind(1)
    products = torch.einsum("ihc,jhc->hij", queries, keys)
    for apart in (0, 2, 5):
        diagonal = products.diagonal(apart, 1, 2)
        assert torch.allclose(diagonal, diagonal[:, :1].expand_as(diagonal), atol=1e-4)
    assert not torch.allclose(products[:, 0, 0], products[:, 0, 5], atol=1e-3)
    assert torch.equal(values, vector.view(9, 3, 2, 8)[:, 2])


def test_a_box_is_described_by_its_sides_size_and_waves() -> None:
    made = describe_boxes(torch.tensor([0.0, 0.25, 0.5, 0.75]))
    assert made.shape == (PLACE,)
    assert made[:7].tolist() == pytest.approx([-1, -0.5, 0, 0.5, 0.5, 0.5, 0.0])
    assert made[7:11].tolist() == pytest.approx([0, 0, 0, 0], abs=1e-6)  # sines of the left side, at 0
