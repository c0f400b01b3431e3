"""Halting of the universal transformer: by hand, against the plain recurrence, and for replicas on their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.errors import OptionError  # noqa: E402
from recombine.models.seq2seq.architectures.architecture import Model  # noqa: E402
from recombine.models.seq2seq.architectures.halting import Halting  # noqa: E402
from recombine.models.seq2seq.architectures.parameters import Parameters  # noqa: E402
from recombine.models.seq2seq.decoding.greedy import greedy  # noqa: E402
from recombine.models.seq2seq.dropout import Drops, make_keys  # noqa: E402
from recombine.models.seq2seq.settings import Seq2SeqSettings  # noqa: E402
from recombine.models.seq2seq.training.train import Replica, Stack  # noqa: E402

SYMBOLS = 9
SMALL: dict[str, Any] = {"width": 16, "heads": 2, "filter_width": 24, "layers": 4, "batch_tokens": 64, "buckets": 2}
PLAIN = Seq2SeqSettings(architecture="universal-transformer", dropout=0.2, warmup=10, **SMALL)
HALTING = replace(PLAIN, halting=True)
TABLE = np.zeros((60, 7), dtype=np.int64)
for row, size in zip(TABLE, np.random.default_rng(0).integers(1, 7, 60), strict=True):
    row[:size], row[size] = np.random.default_rng(int(size)).integers(2, SYMBOLS, size), 1


def biased(made: Parameters, bias: float) -> dict[str, Any]:
    """The weights with a chance to halt that is the same everywhere."""
    changed = {}
    for side in ("encoder", "decoder"):
        changed[f"{side}.halting"] = torch.zeros_like(made.weights[f"{side}.halting"])
        changed[f"{side}.halting_bias"] = torch.full_like(made.weights[f"{side}.halting_bias"], bias)
    return {**made.weights, **changed}


def test_halting_by_hand() -> None:
    """Chances of 0.6, 0.3 and 0.5: the third step halts with the remainder 0.1; the fourth changes nothing."""
    settings = Seq2SeqSettings(architecture="universal-transformer", width=2, heads=1, layers=4, halting=True)
    one = torch.ones(1, 2)
    weights = {"side.halting": torch.tensor([[[1.0], [0.0]]]), "side.halting_bias": torch.zeros(1, 1)}
    weights |= {"side.gain": one, "side.shift": torch.zeros(1, 2)}
    halting = Halting(weights, settings, "side", (torch.zeros(1, 2), torch.zeros(1, 4, 2)))
    logits = torch.logit(torch.tensor([0.6, 0.3, 0.5, 0.9]))
    states = [torch.tensor([[[float(logit), float(step)]]]) for step, logit in enumerate(logits)]
    for state in (*states, torch.tensor([[[7.0, 7.0]]])):
        halting.see(state)
    mixed = 0.1 * states[3] + 0.9 * (0.3 * states[2] + 0.7 * 0.6 * states[1])
    torch.testing.assert_close(halting.mixed, mixed)
    torch.testing.assert_close(halting.cost, torch.tensor([[3 + 0.1]]))
    torch.testing.assert_close(halting.output(torch.float32).abs(), torch.ones(1, 1, 2), rtol=1e-3, atol=1e-3)


def test_signals_of_the_next_step_are_not_mixed_in() -> None:
    settings = Seq2SeqSettings(architecture="universal-transformer", width=2, heads=1, layers=2, halting=True)
    weights = {"side.halting": torch.zeros(1, 2, 1), "side.halting_bias": torch.full((1, 1), 30.0)}
    rows, steps = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[[5.0, 6.0], [70.0, 80.0]]])
    halting = Halting(weights, settings, "side", (rows, steps))
    halting.see(torch.zeros(1, 4, 2))
    halting.see(rows.repeat(2, 1)[None] + steps[:, 1, None] + 0.5)
    torch.testing.assert_close(halting.mixed, torch.full((1, 4, 2), 0.5))  # halts at once, with all weight


def test_never_halting_is_the_plain_recurrence() -> None:
    model, plain = Model(HALTING, SYMBOLS), Model(PLAIN, SYMBOLS)
    made, usual = (Parameters(one.parameters(), [1, 2]) for one in (model, plain))
    for name, weight in usual.weights.items():
        assert torch.equal(weight, made.weights[name])  # the units come last, so that others start the same
    source = torch.from_numpy(TABLE[:8]).expand(2, -1, -1)
    keys = make_keys(torch.tensor([4, 5], dtype=torch.int32), torch.tensor([7]), model.places())
    weights = biased(made, -100.0)
    found = model.logits(weights, source, source, Drops(0.2, keys))
    expected = plain.logits(usual.weights, source, source, Drops(0.2, keys))
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)
    # Each position takes all four steps, and halts with all of its chance left: a cost of five on either side.
    more = model.loss(weights, source, source, Drops(0.2, keys)) - plain.loss(
        usual.weights, source, source, Drops(0.2, keys)
    )
    torch.testing.assert_close(more, torch.full((2,), 2 * 0.01 * 5), rtol=1e-4, atol=1e-5)
    assert torch.equal(greedy(model, weights, source, 9), greedy(plain, usual.weights, source, 9))


def test_halting_at_once_is_one_step() -> None:
    model, one_step = Model(HALTING, SYMBOLS), Model(replace(PLAIN, layers=1), SYMBOLS)
    made, single = Parameters(model.parameters(), [1]), Parameters(one_step.parameters(), [1])
    weights = biased(made, 100.0)
    own = {name: weights[name] for name in single.weights}
    own |= {f"{side}.steps": weights[f"{side}.steps"][:, :1] for side in ("encoder", "decoder")}
    source = torch.from_numpy(TABLE[:8])[None]
    found, expected = model.logits(weights, source, source, Drops()), one_step.logits(own, source, source, Drops())
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


def test_positions_take_different_numbers_of_steps_and_decode_alike_with_a_cache() -> None:
    model = Model(HALTING, SYMBOLS)
    made = Parameters(model.parameters(), [1, 2])
    weights = {**made.weights, **{k: 3 * made.weights[k] for k in ("encoder.halting", "decoder.halting")}}
    source = torch.from_numpy(TABLE[:20]).expand(2, -1, -1)
    ponder: list[Any] = []
    model.logits(weights, source, source, Drops(), ponder)
    assert len(ponder) == 2
    for cost in ponder:
        assert len(torch.unique(cost.floor())) >= 2
        assert cost.min() >= 1
        assert cost.max() <= 5
    found = greedy(model, weights, source, 7)
    expected = torch.zeros_like(found)
    for position in range(7):
        prefix = torch.nn.functional.pad(expected[:, :, :position], (0, 1))
        with torch.no_grad():
            logits = model.logits(weights, source, prefix, Drops())[:, :, -1, :SYMBOLS]
        logits[:, :, 0] = float("-inf")
        expected[:, :, position] = torch.where((expected == 1).any(2), 0, logits.argmax(2))
    assert torch.equal(found, expected)


def test_a_replica_does_not_depend_on_its_companions() -> None:
    replicas = [Replica("other", np.flatnonzero(TABLE[:, 4] == 0), 3), Replica("wanted", np.arange(40), 5)]
    together, alone = (Stack(HALTING, some, TABLE, TABLE, SYMBOLS) for some in (replicas, replicas[1:]))
    assert together.shapes != alone.shapes  # so that padding differs too
    for stack in (together, alone):
        stack.train(15)
    torch.testing.assert_close(together.parameters.flat[1], alone.parameters.flat[0], rtol=1e-4, atol=1e-5)
    assert together.take_losses()[1] == pytest.approx(alone.take_losses()[0], rel=1e-4)


def test_padding_changes_nothing() -> None:
    model = Model(HALTING, SYMBOLS)
    made = Parameters(model.parameters(), [1, 2])
    source = torch.from_numpy(TABLE[:8]).expand(2, -1, -1)
    losses = [
        model.loss(made.weights, batch, batch, Drops())
        for batch in (source, torch.nn.functional.pad(source, (0, 3, 0, 2)))
    ]
    torch.testing.assert_close(*losses)


def test_gradients_are_the_slopes_of_the_loss_and_reach_the_units() -> None:
    model = Model(replace(HALTING, ponder=0.5), SYMBOLS)
    made = Parameters(model.parameters(), [4])
    noise = torch.Generator().manual_seed(0)
    weights = {
        name: (weight.detach().double() + 0.1 * torch.randn(weight.shape, generator=noise)).requires_grad_()
        for name, weight in made.weights.items()
    }
    source = torch.from_numpy(TABLE[:6])[None]

    def loss(changes: Any) -> Any:
        return model.loss({**weights, **changes}, source, source, Drops()).sum()

    slopes = dict(zip(weights, torch.autograd.grad(loss({}), list(weights.values())), strict=True))
    for name in ("encoder.halting", "decoder.halting", "encoder.halting_bias", "decoder.halting_bias", "encoder.steps"):
        assert slopes[name].abs().max() > 0
        way = torch.randn(weights[name].shape, generator=noise, dtype=torch.float64)
        with torch.no_grad():
            found = (loss({name: weights[name] + 1e-3 * way}) - loss({name: weights[name] - 1e-3 * way})) / 2e-3
        torch.testing.assert_close(found.double(), (slopes[name] * way).sum(), rtol=2e-2, atol=2e-3)


def test_a_cost_makes_positions_halt_earlier() -> None:
    """Trained on nothing but the cost, as good as: the mean number of steps falls."""
    costs = []
    for price in (0.0, 5.0):
        stack = Stack(replace(HALTING, ponder=price, rate=0.5), [Replica("a", np.arange(60), 0)], TABLE, TABLE, SYMBOLS)
        stack.train(25)
        ponder: list[Any] = []
        source = torch.from_numpy(TABLE[:30])[None]
        stack.model.logits(stack.parameters.weights, source, source, Drops(), ponder)
        costs.append(sum(cost.detach().mean().item() for cost in ponder))
    assert costs[1] < costs[0] - 0.2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"architecture": "transformer"}, "only a universal transformer halts"),
        ({"halting_threshold": 0.0}, "halting_threshold"),
        ({"ponder": -1.0}, "ponder"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        replace(HALTING, **changes)
