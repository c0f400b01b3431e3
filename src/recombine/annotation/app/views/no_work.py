"""What a worker sees where there is nothing to do: why, and the completion code for an outer platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.annotation.app.requests.guard import RefusedError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.site import Site
    from recombine.annotation.campaign.records import NoWork, Worker

PAUSED = """
Your answers to some items with known answers were not as expected, more than once, so you get no more items for now.

This can be a mistake of ours. If you think so, write to whoever gave you the link: they can let you go on.
"""
LATER = "There is nothing for you to do just now. More may come, from what others do: look again later."


def no_work_page(site: Site, request: Request, worker: Worker, none: NoWork) -> Response:
    """The page of one reason."""
    if none.reason == "paused":
        return site.message(request, "You are paused", PAUSED, worker, code=_code(site, worker))
    code = _code(site, worker)
    if none.reason == "done":
        return site.message(request, "All done", site.campaign.flow.thanks, worker, code=code)
    action = {"url": "/work", "name": "Look again"}
    return site.message(request, "Nothing left for now", LATER, worker, code=code, action=action)


def show_finish(site: Site, request: Request) -> Response:
    """The completion code, for who has done enough; else how much is missing."""
    if not site.campaign.flow.open_enrolment:
        raise RefusedError(404, "There is no such page.")
    worker = site.worker(request)
    if code := _code(site, worker):
        return site.message(request, "Thank you", "You may stop here, or go on.", worker, code=code)
    wanted = site.campaign.flow.complete_after
    text = f"You get a completion code after {wanted} answers; {wanted - worker.answered} are still missing."
    return site.message(request, "Not yet", text, worker, action={"url": "/work", "name": "Go to the work"})


def _code(site: Site, worker: Worker) -> str:
    return (site.campaign.completion_code(worker.id) or "") if site.campaign.flow.open_enrolment else ""
