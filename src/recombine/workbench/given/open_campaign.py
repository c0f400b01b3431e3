"""The campaign that a verb is given by its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import MissingDataError

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.campaign.records import Worker


def open_campaign(store: Path | str) -> Campaign:
    """The campaign in a folder, in a SQLite file or at a URL."""
    check_installed()
    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.exchange.store_place import store_place

    return Campaign.open(store_place(store))


def check_installed() -> None:
    """Refuse with a remedy where what campaigns need is not installed."""
    _check("sqlalchemy")


def check_served() -> None:
    """The same for what serves them to browsers."""
    _check("sqlalchemy", "starlette", "uvicorn")


def _check(*names: str) -> None:
    from importlib.util import find_spec

    for name in names:
        if find_spec(name) is None:
            raise MissingDataError(f"campaigns need {name}, which is not here", "pip install 'recombine[annotate]'")


def find_worker(campaign: Campaign, named: str) -> Worker:
    """A worker by name or id."""
    for worker in campaign.workers():
        if named in (worker.name, worker.id):
            return worker
    return campaign.worker(named)
