"""Lengths of outputs, by hand and on the published outputs for COVR."""

from __future__ import annotations

import gzip
from pathlib import Path

import orjson
import pytest

from recombine.errors import OptionError
from recombine.evaluation.errors.lengths import lengths


def words(number: int) -> str:
    return " ".join(["a"] * number)


OUTPUTS = [
    (words(2), words(2), True),
    (words(4), words(3), False),
    (words(4), words(4), False),
    (words(6), words(9), False),
    (words(10), words(4), False),
    (words(10), "", False),
]


def test_by_hand() -> None:
    found = lengths(OUTPUTS, train=[words(5), words(1)])
    whole = found.whole
    assert (whole.shortest, whole.longest, whole.n, whole.right, whole.wrong, found.abstained) == (2, 10, 6, 1, 4, 1)
    assert (whole.gold_of_wrong, whole.wrong_output) == (6, 5)  # 4, 4, 6, 10 and 3, 4, 9, 4
    assert whole.too_short == pytest.approx(1 / 6)
    assert (found.shorter, found.same, found.longer) == (2, 1, 1)
    assert found.median_ratio == pytest.approx((0.75 + 1) / 2)  # 0.4, 0.75, 1, 1.5
    assert (found.longest_train, found.longest_output) == (5, 9)
    assert (found.gold_beyond_train, found.output_beyond_train) == (3, 1)


def test_groups() -> None:
    found = lengths(OUTPUTS, groups=3)
    assert [(g.shortest, g.longest, g.n, g.right, g.wrong) for g in found.groups] == [
        (2, 4, 3, 1, 2),
        (6, 6, 1, 0, 1),
        (10, 10, 2, 0, 1),
    ]
    assert [g.too_short for g in found.groups] == [pytest.approx(1 / 8), pytest.approx(-1 / 2), pytest.approx(0.6)]
    for groups in range(1, 9):
        parts = lengths(OUTPUTS, groups=groups).groups
        assert len(parts) <= groups
        assert sum(part.n for part in parts) == 6
    only = lengths([(words(3), words(3), True)])
    assert (only.whole.too_short, only.whole.gold_of_wrong, only.longest_train) == (None, None, None)
    assert only.to_record()["groups"] == [only.whole.to_record()]


def test_symbols_do_not_depend_on_spacing() -> None:
    found = lengths([("f ( a , b )", "f(a,b)", False)])
    assert (found.same, found.whole.too_short) == (1, 0)


def test_what_cannot_be_measured() -> None:
    with pytest.raises(OptionError, match="no outputs"):
        lengths([])
    with pytest.raises(OptionError, match="0 groups"):
        lengths(OUTPUTS, groups=0)


@pytest.mark.shared_data
def test_the_published_outputs(data_dir: Path) -> None:
    lines = gzip.decompress((data_dir / "covr_text" / "predictions.jsonl.gz").read_bytes()).splitlines()
    records = [orjson.loads(line) for line in lines]
    wrong = {}
    for model in ("BART", "BART-L", "T5", "T5-L"):
        rows = [(r["target"], r["pred"][model]["output"], r["pred"][model]["correct"]) for r in records]
        found = lengths(rows)
        wrong[model] = found.whole.wrong
        assert found.whole.n == sum(group.n for group in found.groups) == 2075
        assert found.shorter + found.same + found.longer == found.whole.wrong
    # Counted over the shared file.
    assert wrong == {name: sum(not r["pred"][name]["correct"] for r in records) for name in wrong}
