"""Settings that are no settings, or out of range, are refused with what to give."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.errors import RecombineError
from recombine.models.kbqa.kbqa_settings import KbqaSettings


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"encoder": "bert"}, "unknown encoder 'bert'"),
        ({"encoder": "vectors:"}, "unknown encoder 'vectors:'"),
        ({"encoder": "scratch:here"}, "unknown encoder 'scratch:here'"),
        ({"beam": 0}, "beam is 0; give a whole number of 1 or more"),
        ({"hops": 3}, "hops is 3; give 1 or 2"),
        ({"dropout": 1.0}, "dropout is 1.0; give a share of 0 or more and below 1"),
        ({"dev_share": -0.1}, "dev_share is -0.1"),
        ({"beyond": "classes,things"}, "unknown candidates beyond the paper's 'things'"),
        ({"inference": "rank"}, "unknown inference 'rank'; did you mean 'ranking'"),
        ({"vocabulary": "all"}, "unknown vocabulary 'all'"),
        ({"forms": "good"}, "unknown forms 'good'"),
        ({"overlap": -1.0}, "overlap is -1.0; give 0 or more"),
        ({"decay": "steep"}, "unknown decay 'steep'"),
        ({"renamed": 1.5}, "renamed is 1.5; give a share from 0 to 1"),
        ({"wdth": 3}, "unknown setting 'wdth'; did you mean 'width'"),
    ],
)
def test_what_is_no_setting_is_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(RecombineError, match=told):
        KbqaSettings.from_dict(changes)


def test_settings_travel_as_plain_values() -> None:
    made = KbqaSettings(encoder="vectors:a:b.npy", beyond="classes, superlatives")
    assert KbqaSettings.from_dict(made.to_dict()) == made
    assert (made.encoder_kind, made.encoder_path) == ("vectors", "a:b.npy")
    assert made.beyond_kinds == ("classes", "superlatives")
