"""A campaign of three questions, put in other words and judged, which many tests look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recombine.annotation.campaign.campaign import Campaign

YES, NO = {"same": "yes", "fluent": "yes"}, {"same": "no", "fluent": "yes"}
TEXTS = {"q0": "by whom is [B0]?", "q1": "[B1] is whose work?", "q2": "the writer of [B2]?"}


@pytest.fixture
def questions() -> list[dict[str, Any]]:
    """Items with what they keep; the third has no template."""
    return [
        {
            "item": f"q{number}",
            "task": "paraphrase",
            "show": {"question": f"who wrote [B{number}]?"},
            "keep": {"target": f"wrote ( B{number} )", "example": f"e{number}"}
            | ({"template": "T"} if number < 2 else {}),
        }
        for number in range(3)
    ]


@pytest.fixture
def judged(new_campaign: Callable[..., Campaign], questions: list[dict[str, Any]]) -> Campaign:
    """Ann writes the first and the third text, ben the second; the other of them and cy judge. The third is no good."""
    campaign = new_campaign(check__workers=2, paraphrase__until_valid=1)
    campaign.add_items(questions)
    wrote = {"q0": "ann", "q1": "ben", "q2": "ann"}
    rows = [{"item": key, "worker": wrote[key], "answer": {"paraphrase": text}} for key, text in TEXTS.items()]
    assert campaign.take_in(rows).added == 3
    said = {"by whom is [B0]?": {"ben": YES, "cy": YES}, "[B1] is whose work?": {"ann": YES, "cy": YES}}
    said["the writer of [B2]?"] = {"ben": YES, "cy": NO}
    votes = [
        {"item": item.item, "worker": worker, "answer": answer}
        for item in campaign.items(task="check")
        for worker, answer in said[str(item.show["question"])].items()
    ]
    assert campaign.take_in(votes).added == 6
    return campaign
