"""Replicas trained together: nobody's result depends on the others, on padding, or on a pause."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.errors import OptionError  # noqa: E402
from recombine.models.seq2seq.architectures.architecture import Model  # noqa: E402
from recombine.models.seq2seq.architectures.parameters import Parameters  # noqa: E402
from recombine.models.seq2seq.dropout import Drops, make_keys  # noqa: E402
from recombine.models.seq2seq.settings import ARCHITECTURES, Seq2SeqSettings  # noqa: E402
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint  # noqa: E402
from recombine.models.seq2seq.training.train import Replica, Stack  # noqa: E402

SYMBOLS = 9
SMALL: dict[str, Any] = {
    "width": 16,
    "layers": 2,
    "heads": 2,
    "filter_width": 24,
    "attention_width": 6,
    "batch_tokens": 64,
    "buckets": 3,
    "warmup": 10,
}


def copy_task(examples: int, longest: int = 6) -> Any:
    """Sources with the same symbols as targets."""
    rng = np.random.default_rng(0)
    table = np.zeros((examples, longest + 1), dtype=np.int64)
    for row in table:
        size = rng.integers(1, longest + 1)
        row[:size] = rng.integers(2, SYMBOLS, size)
        row[size] = 1
    return table


DATA = copy_task(120)


def make_stack(settings: Seq2SeqSettings, replicas: list[Replica]) -> Stack:
    return Stack(settings, replicas, DATA, DATA, SYMBOLS)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_replica_does_not_depend_on_its_companions(architecture: str) -> None:
    settings = Seq2SeqSettings(architecture=architecture, dropout=0.2, clip=1.0, **SMALL)
    short = np.flatnonzero((DATA != 0).sum(1) <= 4)
    replicas = [
        Replica("short", short, seed=3),
        Replica("wanted", np.arange(90), seed=5, factor=0.5),
        Replica("other", np.arange(40, 120), seed=5, factor=2.0),
    ]
    together, alone = make_stack(settings, replicas), make_stack(settings, replicas[1:2])
    assert together.shapes != alone.shapes  # so that padding differs too
    for stack in (together, alone):
        stack.train(25)
    torch.testing.assert_close(together.parameters.flat[1], alone.parameters.flat[0], rtol=1e-4, atol=1e-5)
    assert together.take_losses()[1] == pytest.approx(alone.take_losses()[0], rel=1e-4)
    assert not torch.allclose(together.parameters.flat[1], together.parameters.flat[2], atol=1e-3)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_padding_changes_nothing(architecture: str) -> None:
    settings = Seq2SeqSettings(architecture=architecture, dropout=0.2, **SMALL)
    model = Model(settings, SYMBOLS)
    weights = Parameters(model.parameters(), [1, 2])
    source = torch.from_numpy(DATA[:8]).expand(2, -1, -1)
    padded = torch.nn.functional.pad(source, (0, 3, 0, 2))
    losses, slopes = [], []
    for batch in (source, padded):
        drops = Drops(0.2, make_keys(torch.tensor([4, 5], dtype=torch.int32), torch.tensor([7]), model.places()))
        loss = model.loss(weights.weights, batch, batch, drops)
        assert drops.taken == model.places()
        weights.backward(loss.sum())
        losses.append(loss.detach())
        slopes.append(weights.gradient.clone())
    torch.testing.assert_close(losses[0], losses[1])
    torch.testing.assert_close(slopes[0], slopes[1], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("pause", [7, 9])
def test_resume_gives_the_weights_of_an_uninterrupted_run(pause: int, tmp_path: Path) -> None:
    settings = Seq2SeqSettings(architecture="transformer", **SMALL)
    replicas = [Replica("a", np.arange(60), 0), Replica("b", np.arange(60, 120), 1)]
    whole = make_stack(settings, replicas)
    whole.train(20)
    first = make_stack(settings, replicas)
    first.train(pause)
    save_checkpoint(tmp_path / "pause.safetensors", first.state())
    second = make_stack(settings, replicas)
    second.load_state(load_checkpoint(tmp_path / "pause.safetensors")[0])
    second.train(20)
    assert torch.equal(second.parameters.flat, whole.parameters.flat)
    assert second.take_losses() == whole.take_losses()


def test_a_checkpoint_of_other_models_is_refused() -> None:
    settings = Seq2SeqSettings(architecture="transformer", **SMALL)
    one = make_stack(settings, [Replica("a", np.arange(60), 0)])
    two = make_stack(settings, [Replica("a", np.arange(60), 0), Replica("b", np.arange(60), 1)])
    with pytest.raises(OptionError, match="checkpoint is of other models"):
        two.load_state(one.state())


def test_a_broken_replica_leaves_the_others_alone() -> None:
    settings = Seq2SeqSettings(architecture="transformer", **SMALL)
    good = Replica("good", np.arange(60), 0)
    both = make_stack(settings, [good, Replica("bad", np.arange(60), 1, factor=float("inf"))])
    alone = make_stack(settings, [good])
    both.train(6)
    alone.train(6)
    torch.testing.assert_close(both.parameters.flat[0], alone.parameters.flat[0], rtol=1e-4, atol=1e-5)
    assert not np.isfinite(both.take_losses()[1])


def test_a_copy_task_is_learned() -> None:
    tuned = {**SMALL, "width": 32, "heads": 4, "filter_width": 64, "batch_tokens": 256, "buckets": 2}
    settings = Seq2SeqSettings(architecture="transformer", dropout=0.0, rate=0.05, **{**tuned, "warmup": 50})
    stack = make_stack(settings, [Replica("copy", np.arange(120), 0)])
    stack.train(450)
    found = stack.predict([np.arange(120)], DATA.shape[1])[0]
    assert (found == DATA).all(1).mean() == 1.0


def test_an_empty_train_part_is_refused() -> None:
    settings = Seq2SeqSettings(architecture="transformer", **SMALL)
    with pytest.raises(OptionError, match="train part is empty"):
        make_stack(settings, [Replica("none", np.arange(0), 0)])


def test_a_target_longer_than_a_batch_is_refused() -> None:
    settings = replace(Seq2SeqSettings(architecture="transformer", **SMALL), batch_tokens=3)
    with pytest.raises(OptionError, match="batch_tokens"):
        make_stack(settings, [Replica("a", np.arange(60), 0)])
