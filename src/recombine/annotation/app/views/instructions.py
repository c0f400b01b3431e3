"""The instructions of every task that a worker may do, with worked examples (GrailQA, Figure 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.site import Site


def show_instructions(site: Site, request: Request) -> Response:
    """The page of instructions."""
    worker = site.worker(request)
    tasks = [
        {"title": task.title, "text": site.instructions(task)}
        for task in site.campaign.flow.task
        if task.qualification is None or task.qualification in worker.qualifications
    ]
    return site.page(request, "instructions.html", worker, text=site.campaign.flow.about, tasks=tasks)
