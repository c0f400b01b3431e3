"""Pictures of the items that are kept for a worker; a lead sees those of every item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from recombine.annotation.app.requests.campaign_images import NoPictureError, read_image
from recombine.annotation.app.requests.guard import RefusedError
from recombine.annotation.app.shown_parts import picture_name
from recombine.errors import RecombineError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from recombine.annotation.app.site import Site
    from recombine.annotation.campaign.records import Worker


def show_picture(site: Site, request: Request) -> Response:
    """One picture: a browser says which part and number of which item, never which file."""
    worker = site.worker(request)
    part, number, item = (request.path_params[name] for name in ("part", "number", "item"))
    task, show = _item(site, worker, item)
    shown = {each.name for each in site.campaign.flow.of(task).show if each.kind == "images"} if task else set()
    name = picture_name(show.get(part), number) if part in shown else ""
    if not name or site.settings.pictures is None:
        raise RefusedError(404, "There is no such picture.")
    try:
        body, kind = read_image(site.settings.pictures, name)
    except NoPictureError as error:
        raise RefusedError(404, "There is no such picture.") from error
    return Response(body, media_type=kind, headers={"cache-control": "private, max-age=3600"})


def _item(site: Site, worker: Worker, item: str) -> tuple[str, Mapping[str, Any]]:
    """The task of an item and what it shows; nothing where the item is another's."""
    work = site.campaign.work(worker.id)
    for each in work.assignments if work else ():
        if each.item == item:
            return each.task, each.show
    if worker.leads:
        try:
            row = site.campaign.item(item)
        except RecombineError:
            return "", {}
        return row.task, row.show
    return "", {}
