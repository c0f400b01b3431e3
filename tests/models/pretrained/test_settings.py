"""Settings and the papers' presets."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, RecombineError
from recombine.models.pretrained.presets import PRESETS, find_preset
from recombine.models.pretrained.settings import FineTuningSettings


def test_presets_are_the_papers() -> None:
    # local_structures §3: 64 epochs, 3e-5 polynomial, batches of 8 to 28.
    for name, preset in PRESETS.items():
        if name.startswith("local-structures:"):
            assert (preset.epochs, preset.rate, preset.schedule) == (64, 3e-5, "polynomial")
            assert 8 <= preset.batch <= 28
    assert PRESETS["local-structures:bert-lstm"].kind == "copying"
    # nqg_t5 App. B.1: 1e-4, 3,000 steps for GeoQuery and 10,000 for Spider; B.2: sources of 512 tokens.
    for size in ("base", "3b"):
        geoquery, spider = PRESETS[f"nqg:t5-{size}"], PRESETS[f"nqg:t5-{size}-spider"]
        assert (geoquery.rate, geoquery.steps, spider.steps) == (1e-4, 3000, 10000)
        assert (geoquery.max_source, geoquery.long_sources, geoquery.schedule) == (512, "cut", "constant")
        # The notes of the published code: 1,048,576 tokens a step.
        assert geoquery.batch * geoquery.max_source == 1048576


def test_changes_are_checked() -> None:
    assert find_preset("nqg:t5-base", epochs=3).steps == 0
    with pytest.raises(RecombineError, match="unknown preset 'nqg:t5-bse'; did you mean 'nqg:t5-base'"):
        find_preset("nqg:t5-bse")
    with pytest.raises(RecombineError, match="unknown setting 'stesp'; did you mean 'steps'"):
        find_preset("nqg:t5-base", stesp=3)
    with pytest.raises(OptionError, match="the setting steps is 'many'; give a value like 0"):
        find_preset("nqg:t5-base", steps="many")
    with pytest.raises(OptionError, match="the setting recompute is 1"):
        find_preset("nqg:t5-base", recompute=1)
    assert find_preset("nqg:t5-base", clip=1).clip == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "0 steps and 0 epochs are given"),
        ({"steps": 1, "epochs": 1}, "1 steps and 1 epochs are given"),
        ({"steps": 1, "batch": 0}, "batch is 0; give 1 or more"),
        ({"steps": 1, "batch": 2, "accumulate": 3}, "accumulate is 3, a batch 2"),
        ({"steps": 1, "schedule": "cosine"}, "unknown schedule 'cosine'; known: constant, polynomial"),
        ({"steps": 1, "rate": float("nan")}, "rate is nan"),
        ({"steps": 1, "dropout": 1.0}, "dropout is 1.0"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, float], told: str) -> None:
    with pytest.raises(RecombineError, match=told):
        FineTuningSettings(**changes)  # type: ignore[arg-type]


def test_rates() -> None:
    constant = FineTuningSettings(steps=4, warmup=2)
    assert [constant.rate_at(step, 4) for step in range(4)] == [0.5, 1, 1, 1]
    square = FineTuningSettings(steps=4, schedule="polynomial", power=2.0, final_rate=0.5)
    assert [square.rate_at(step, 4) for step in range(4)] == [1, 0.78125, 0.625, 0.53125]
    assert FineTuningSettings(epochs=3, batch=4).total_steps(9) == 9
