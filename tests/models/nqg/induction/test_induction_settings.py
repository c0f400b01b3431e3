"""Settings and presets."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, UnknownNameError
from recombine.models.nqg.induction.induction_settings import PRESETS, InductionSettings


def test_the_paper_s_own_settings() -> None:
    scan, geoquery = PRESETS["nqg:scan"], PRESETS["nqg:geoquery"]
    assert (scan.sample, scan.terminal_bits, scan.slot_bits, scan.repeated_targets) == (500, 32.0, 1.0, True)
    assert (geoquery.sample, geoquery.terminal_bits, geoquery.repeated_targets) == (0, 8.0, False)
    assert (scan.search_terminal_bits, scan.search_slot_bits, scan.estimate, scan.effort) == (32.0, 1.0, 10, 0.0)


@pytest.mark.parametrize("name", PRESETS)
def test_settings_are_named_by_preset_and_changes(name: str) -> None:
    assert str(PRESETS[name]) == name
    changed = InductionSettings.of(name, seed=7, repeated_targets=not PRESETS[name].repeated_targets)
    assert str(changed).endswith(",seed=7")
    assert str(changed) != str(InductionSettings.of(name, seed=7))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sample": -1}, "sample is -1"),
        ({"restarts": 0}, "restarts is 0; give 1 or more"),
        ({"effort": -0.5}, "effort is -0.5"),
        ({"terminal_bits": 0.0}, "terminal_bits is 0.0"),
        ({"search_slot_bits": float("nan")}, "search_slot_bits is nan"),
        ({"seed": -1}, "the seed is -1"),
    ],
)
def test_impossible_values_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        InductionSettings.of("default", **changes)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'nqg:scan'"):
        InductionSettings.of("nqg:scam")
    with pytest.raises(UnknownNameError, match="unknown setting 'size'"):
        InductionSettings.of("default", size=3)
