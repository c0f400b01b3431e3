"""Decoding with kept keys and values gives what decoding from the start every time gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.models.seq2seq.architectures.architecture import Model  # noqa: E402
from recombine.models.seq2seq.architectures.parameters import Parameters  # noqa: E402
from recombine.models.seq2seq.decoding.greedy import greedy  # noqa: E402
from recombine.models.seq2seq.dropout import Drops  # noqa: E402
from recombine.models.seq2seq.settings import ARCHITECTURES, Seq2SeqSettings  # noqa: E402

SYMBOLS, LONGEST = 7, 9


def slow_greedy(model: Model, weights: Any, source: Any) -> Any:
    """Every prefix run as a whole."""
    out = torch.zeros(*source.shape[:2], LONGEST, dtype=torch.int64)
    for position in range(LONGEST):
        prefix = torch.nn.functional.pad(out[:, :, :position], (0, 1))
        logits = model.logits(weights, source, prefix, Drops())[:, :, -1, :SYMBOLS]
        logits[:, :, 0] = float("-inf")
        ended = (out == 1).any(2)
        out[:, :, position] = torch.where(ended, 0, logits.argmax(2))
    return out


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_greedy_is_the_same_with_and_without_a_cache(architecture: str) -> None:
    settings = Seq2SeqSettings(architecture=architecture, width=16, heads=2, filter_width=24, attention_width=6)
    model = Model(settings, SYMBOLS)
    weights = Parameters(model.parameters(), [0, 1, 2]).weights
    rng = np.random.default_rng(1)
    source = torch.from_numpy(rng.integers(2, SYMBOLS, (3, 20, 5)))
    source[:, ::2, 3:] = 0
    with torch.no_grad():
        expected = slow_greedy(model, weights, source)
    found = greedy(model, weights, source, LONGEST)
    assert torch.equal(found, expected)
    assert len(torch.unique(found)) > 3  # not one symbol again and again
