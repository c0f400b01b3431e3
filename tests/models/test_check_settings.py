"""Settings are refused by name and by type; what is true or false is no number, and no number is true or false."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.errors import RecombineError
from recombine.models.check_settings import check_settings

USUAL = {"steps": 100, "rate": 0.1, "decay": True, "kind": "auto"}


@pytest.mark.parametrize("given", [{}, {"steps": 5}, {"rate": 1}, {"rate": 0.5}, {"decay": False}, {"kind": "causal"}])
def test_what_is_like_the_usual_passes(given: dict[str, Any]) -> None:
    check_settings(given, USUAL)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"step": 5}, "unknown setting 'step'; did you mean 'steps'?"),
        ({"steps": True}, "the setting steps is True; give a value like 100"),
        ({"rate": False}, "the setting rate is False; give a value like 0.1"),
        ({"decay": 1}, "the setting decay is 1; give a value like True"),
        ({"steps": 0.5}, "the setting steps is 0.5; give a value like 100"),
        ({"steps": "5"}, "the setting steps is '5'; give a value like 100"),
        ({"kind": 1}, "the setting kind is 1; give a value like 'auto'"),
    ],
)
def test_what_is_not_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(RecombineError) as caught:
        check_settings(given, USUAL)
    assert message in str(caught.value)
