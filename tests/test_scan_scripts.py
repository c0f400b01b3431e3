"""The scripts about models made for SCAN: kinds of wrong outputs, kept runs, and where attention is."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import orjson
import pytest

pytest.importorskip("torch", reason="needs torch")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def scripts() -> Any:
    """Loads a script of the benchmarks by its name."""
    sys.path.insert(0, str(ROOT / "benchmarks"))

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield load
    sys.path.remove(str(ROOT / "benchmarks"))


@pytest.mark.parametrize(
    ("gold", "output", "expected"),
    [
        ("I_TURN_RIGHT I_JUMP", "I_TURN_LEFT I_JUMP", ["as long", "left for right", "as many jumps"]),
        ("I_TURN_LEFT I_JUMP", "I_TURN_RIGHT I_JUMP", ["as long", "as many jumps"]),
        ("I_JUMP I_JUMP", "I_JUMP", ["shorter", "fewer jumps"]),
        ("I_TURN_RIGHT", "I_TURN_LEFT I_JUMP", ["longer", "more jumps"]),
        ("I_WALK", "", ["shorter", "as many jumps"]),
    ],
)
def test_wrong_outputs_beside_gold(gold: str, output: str, expected: list[str], scripts: Any) -> None:
    assert list(scripts("scan_wrong_outputs").kinds(gold, output)) == expected


def test_kept_batches_say_when_they_were_first_good(scripts: Any, capsys: pytest.CaptureFixture[str]) -> None:
    points = [[500, 0.5, 0.2, 10], [1000, 0.1, 0.99, 20], [1500, 0.1, 0.97, 30]]
    script = scripts("primitive_batches")
    script.show({"batch_tokens": 256, "points": points})
    script.show({"batch_tokens": 64, "points": points[:1]})
    assert capsys.readouterr().out == (
        "batches of 256 symbols: 99 % right at step 1,000 (20 s), from there on 98.0% in the mean; "
        "at step 1,500 (30 s) 97.0%, loss 0.1\n"
        "batches of 64 symbols: never 99 % right; at step 500 (10 s) 20.0%, loss 0.5\n"
    )


def test_kept_runs_are_stuck_where_their_loss_stayed(scripts: Any) -> None:
    """As the documentation counts them, from the losses that are kept."""
    script = scripts("stuck_attention")
    ways = orjson.loads(script.RESULT.read_bytes())["ways"]
    assert [row["way"] for row in ways] == [*script.WAYS]
    for row in ways:
        early, late = np.array(row["losses"][-3]), np.array(row["losses"][-1])
        assert row["stuck"] == (late > 0.9 * early).tolist()


def test_attention_that_stays_does_not_move(scripts: Any) -> None:
    """With all keys alike every place has the same share at each output; of a source of one place nothing can move."""
    from recombine.models.seq2seq.presets import find_preset
    from recombine.models.seq2seq.training.train import Replica, Stack

    script = scripts("stuck_attention")
    settings = find_preset("syntactic-attention", width=8, meaning_width=4, batch_tokens=16)
    source = np.array([[3, 4, 5, 1], [4, 1, 0, 0], [1, 0, 0, 0]])
    stack = Stack(settings, [Replica("", np.arange(3), seed) for seed in (0, 1)], source, source, 6)
    assert all(move > 0 for move in script.attention_moves(stack, source[:2]))
    assert script.attention_moves(stack, source[2:]) == [0.0, 0.0]
    for name, weight in stack.parameters.weights.items():
        if name.startswith("roles"):
            weight.detach().zero_()
    assert script.attention_moves(stack, source[:2]) == [0.0, 0.0]
