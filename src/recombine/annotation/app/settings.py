"""What the app is told when it starts, apart from the campaign itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.annotation.app.address import Address


@dataclass(frozen=True)
class Settings:
    """Where the app is reached, where pictures lie, and how often one may ask."""

    address: Address
    pictures: Path | None = None
    """The folder that items' pictures are named from; none where a campaign has no pictures."""
    requests_per_second: float = 20.0
    """Of one worker, and of one address that has no worker's cookie."""
    burst: int = 60
    """How many requests may come at once after a rest: a page with its pictures, style and script."""
