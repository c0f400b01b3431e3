"""A campaign served to browsers, until it is interrupted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateServe(Result):
    """What was served, until it ended."""

    campaign: str
    url: str

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate serve --json` prints when it ends."""
        return {"campaign": self.campaign, "url": self.url}

    def __str__(self) -> str:
        return f"{self.campaign} was served at {self.url}"


@verb
def annotate_serve(
    store: Path | str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    certificate: Path | str | None = None,
    key: Path | str | None = None,
    public_url: str | None = None,
    behind_proxy: bool = False,
    pictures: Path | str | None = None,
    enrol: bool = False,
) -> AnnotateServe:
    """Serve a campaign to browsers. Off this machine it needs a certificate and its key, or `behind_proxy`.

    `pictures` is the folder of the pictures that items name, by default the campaign's. With `enrol`, who comes with an
    id in the link becomes a worker.
    """
    raise NotImplementedError
