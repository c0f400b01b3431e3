"""Campaigns to test with: a clock that is set by hand, and small flows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.tasks.read_flow import read_flow


class Clock:
    """A time that stands still until it is put on."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def new_campaign(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., Campaign]]:
    """Makes campaigns of a flow that ships, with options changed, and closes them."""
    made: list[Campaign] = []

    def make(flow: str = "grailqa", **changes: Any) -> Campaign:
        options = {key.replace("__", "."): value for key, value in changes.items()}
        place = tmp_path / f"campaign{len(made)}.db"
        made.append(Campaign.create(place, read_flow(flow, changes=options), name="test", key=b"k" * 32, clock=clock))
        return made[-1]

    yield make
    for campaign in made:
        campaign.close()


@pytest.fixture
def add() -> Callable[..., list[str]]:
    """Adds workers who have agreed; their ids."""

    def added(campaign: Campaign, *names: str, qualifications: tuple[str, ...] = ()) -> list[str]:
        new = campaign.add_workers(names, qualifications=qualifications)
        for each in new:
            campaign.consent(each.worker.id)
        return [each.worker.id for each in new]

    return added
