"""Agreement of models, by hand and on the published outputs."""

from __future__ import annotations

import gzip
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import orjson
import pytest

from recombine.errors import OptionError
from recombine.evaluation.difficulty.agreement import agreement, chance_agreement
from recombine.evaluation.difficulty.correctness import Correctness


def test_by_hand() -> None:
    table = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]], bool)
    assert agreement(table, 4) == 2 / 5
    assert agreement(table, 3) == 4 / 5


@pytest.mark.parametrize("at_least", [3, 4])
def test_chance_against_all_outcomes(at_least: int) -> None:
    accuracies = [0.9, 0.8, 0.7, 0.25]
    expected = sum(
        prod(p if right else 1 - p for p, right in zip(accuracies, outcome, strict=True))
        for outcome in product((0, 1), repeat=4)
        if max(sum(outcome), 4 - sum(outcome)) >= at_least
    )
    assert chance_agreement(accuracies, at_least) == pytest.approx(expected)


def test_table_2() -> None:
    # The accuracies of the four models on COVR, and the random agreement of the last line.
    assert round(100 * chance_agreement([0.882, 0.878, 0.863, 0.854], 4), 1) == 57.1


def test_numbers_that_cannot_agree() -> None:
    with pytest.raises(OptionError, match="2 of 4 models"):
        agreement(np.ones((1, 4), bool), 2)
    with pytest.raises(OptionError, match="5 of 4 models"):
        chance_agreement([0.5] * 4, 5)
    with pytest.raises(OptionError, match="no examples"):
        agreement(np.ones((0, 4), bool), 3)


@pytest.mark.shared_data
def test_the_published_outputs(data_dir: Path) -> None:
    lines = gzip.decompress((data_dir / "covr_text" / "predictions.jsonl.gz").read_bytes()).splitlines()
    models = ("BART", "BART-L", "T5", "T5-L")
    table = np.array([[record["pred"][m]["correct"] for m in models] for record in map(orjson.loads, lines)])
    found = Correctness(tuple(map(str, range(len(table)))), models, table)
    gold = found.gold("majority")
    # Counted over the shared file: 193 wrong, 138 ties; Table 2 has 94.5 and 82.5 over 62,000 instances of 124 splits.
    assert (len(gold), int((gold == 0).sum()), int((gold == -1).sum())) == (2075, 193, 138)
    assert round(100 * agreement(table, 3), 1) == 93.3
    assert round(100 * agreement(table, 4), 1) == 81.4
    assert round(100 * chance_agreement(list(found.accuracies().values()), 4), 1) == 52.9
