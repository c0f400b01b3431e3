"""A campaign served to browsers, until it is interrupted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import stage
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
    processes: int = 1,
) -> AnnotateServe:
    """Serve a campaign to browsers until it is stopped. Off this machine that needs a certificate, or `behind_proxy`.

    `pictures` is the folder of the pictures that items name, by default the campaign's. Several `processes` share a
    port, over Postgres.
    """
    from recombine.workbench.given.open_campaign import check_served, open_campaign

    check_served()
    from recombine.annotation.app.serve import serve
    from recombine.annotation.exchange.store_place import files_folder, store_place

    with open_campaign(store) as campaign:  # a store that is not there is said before anything listens
        name = campaign.name
    addresses: list[str] = []

    def ready(url: str) -> None:
        addresses.append(url)
        stage(f"{name} is served at {url} until Ctrl-C")

    serve(
        store_place(store),
        host=host,
        port=port,
        public_url=public_url,
        certificate=certificate,
        key=key,
        behind_proxy=behind_proxy,
        pictures=files_folder(store) if pictures is None else pictures,
        processes=processes,
        quiet=True,
        ready=ready,
    )
    return AnnotateServe(name, addresses[0])
