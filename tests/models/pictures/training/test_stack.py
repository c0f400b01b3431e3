"""Replicas that train together give what they give alone; training goes on from where it stopped."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from tests.models.pictures.colors import ANSWERS, SETTINGS, WORDS, questions, squares  # noqa: E402

from recombine.errors import InputFileError, OptionError  # noqa: E402
from recombine.models.pictures.nets.picture_tables import PictureTables  # noqa: E402
from recombine.models.pictures.training.loop import Loop, spaced_couples, train_stack  # noqa: E402
from recombine.models.pictures.training.question_program import QuestionProgram  # noqa: E402
from recombine.models.pictures.training.schedule import Schedule  # noqa: E402
from recombine.models.pictures.training.shuffled import shuffled_pictures  # noqa: E402
from recombine.models.pictures.training.stack import Replica, Stack  # noqa: E402

REPLICAS = [
    Replica("first", 0, np.arange(60), np.arange(60, 70)),
    Replica("second", 5, np.arange(30), np.arange(60, 70)),
    Replica("third", 0, np.arange(20, 60), np.arange(60, 70)),
]


@pytest.fixture(scope="module")
def program() -> QuestionProgram:
    world = squares(30, 2, names=False)
    features = np.random.default_rng(0).standard_normal((30, 4, 8)).astype(np.float16)
    tables = PictureTables(features, world.pictures, device="cpu")
    return QuestionProgram(SETTINGS, tables, questions(world, 90, 4), len(WORDS), len(ANSWERS), "cpu")


def make(program: QuestionProgram, replicas: list[Replica], steps: int = 12) -> Stack:
    return Stack(program, replace(Schedule.of_questions(SETTINGS), steps=steps), replicas)


def test_a_stack_of_three_equals_three_alone(program: QuestionProgram) -> None:
    together = make(program, REPLICAS)
    together.train(8)
    losses = together.take_losses()
    for place, replica in enumerate(REPLICAS):
        alone = make(program, [replica])
        alone.train(8)
        assert alone.take_losses()[0] == pytest.approx(losses[place], rel=1e-5)
        assert torch.allclose(alone.parameters.flat[0], together.parameters.flat[place], atol=2e-4)
    # The test could not fail if replicas were all alike.
    assert not torch.allclose(together.parameters.flat[0], together.parameters.flat[2], atol=2e-2)


def test_training_in_pieces_equals_training_in_one(program: QuestionProgram, tmp_path: Path) -> None:
    whole = make(program, REPLICAS[:2])
    done = train_stack(Loop(), "whole", whole, curve=6)
    stopped = train_stack(Loop(tmp_path, deadline=time.monotonic()), "parts", make(program, REPLICAS[:2]), curve=6)
    assert stopped is None
    resumed = make(program, REPLICAS[:2])
    again = train_stack(Loop(tmp_path), "parts", resumed, curve=6)
    assert done is not None
    assert again is not None
    assert resumed.step == 12
    assert torch.equal(resumed.parameters.flat, whole.parameters.flat)
    assert again.curves == done.curves
    assert again.best_steps == done.best_steps


def test_a_broken_checkpoint_is_refused(program: QuestionProgram, tmp_path: Path) -> None:
    (tmp_path / "parts.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0{not json")
    with pytest.raises(InputFileError, match=r"parts\.safetensors: not a whole checkpoint"):
        train_stack(Loop(tmp_path), "parts", make(program, REPLICAS[:1]), curve=6)


def test_the_best_look_at_dev_is_kept(program: QuestionProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter([[0.3, 0.1], [0.5, 0.2], [0.4, 0.9]])
    monkeypatch.setattr(program, "measure", lambda *_: next(values))
    stack = make(program, REPLICAS[:2])
    twin = make(program, REPLICAS[:2])
    twin.train(8)
    middle = twin.parameters.flat[0].clone()
    twin.train(12)
    done = train_stack(Loop(), "best", stack, curve=4)
    assert done is not None
    assert done.best_steps == [8, 12]
    assert torch.equal(stack.parameters.flat[0], middle)
    assert torch.equal(stack.parameters.flat[1], twin.parameters.flat[1])


def test_patience_ends_training(program: QuestionProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter([[0.5], [0.4], [0.3], [0.2], [0.1], [0.0]])
    monkeypatch.setattr(program, "measure", lambda *_: next(values))
    stack = make(program, REPLICAS[:1])
    train_stack(Loop(), "tired", stack, curve=2, patience=2)
    assert stack.step == 6


def test_weights_of_another_shape_are_refused(program: QuestionProgram) -> None:
    with pytest.raises(OptionError, match="the weights words have the shape"):
        Stack(program, Schedule.of_questions(SETTINGS), REPLICAS[:1], start={"words": torch.zeros(1, 3, 16)})


def test_weights_of_a_stage_before_are_taken_over(program: QuestionProgram) -> None:
    given = torch.full((1, len(WORDS), 16), 0.25)
    stack = Stack(program, Schedule.of_questions(SETTINGS), REPLICAS[:2], start={"words": given})
    assert (stack.parameters.weights["words"] == 0.25).all()
    assert (stack.weights_of(1)["words"] == 0.25).all()
    assert not (stack.weights_of(1)["answers"] == stack.weights_of(0)["answers"]).all()


def test_shuffled_pictures_are_others_and_come_back(program: QuestionProgram) -> None:
    before = program.pictures.clone()
    with shuffled_pictures(program):
        shuffled = program.pictures
        missing = before == program.tables.missing
        assert (shuffled[missing] == program.tables.missing).all()
        assert (shuffled[~missing] < program.tables.missing).all()
        assert (shuffled[~missing] != before[~missing]).float().mean() > 0.8
    assert torch.equal(program.pictures, before)


def test_a_sample_of_dev_keeps_twins_together() -> None:
    sample = spaced_couples(np.arange(1000), 100)
    assert len(sample) == 100
    assert (sample[1::2] == sample[::2] + 1).all()
    assert (sample[::2] % 2 == 0).all()
