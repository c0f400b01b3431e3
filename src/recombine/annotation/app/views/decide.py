"""The lead's page: an item that its judges did not agree on, what they answered, and the decision above their votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.annotation.app.requests.guard import RefusedError
from recombine.annotation.app.shown_parts import shown_parts, text_of
from recombine.annotation.app.site import see
from recombine.errors import AdjudicationError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.requests.read_form import Form
    from recombine.annotation.app.site import Site
    from recombine.annotation.campaign.records import ItemRow, Worker
    from recombine.annotation.tasks.task import Task

LONGEST_NOTE = 1000


def show_disputes(site: Site, request: Request) -> Response:
    """The first item to decide, or the one after another that is left for later."""
    worker = _lead(site, request)
    disputes = site.campaign.disputes()
    votes = [row for row in disputes if not site.campaign.flow.of(row.task).makes]
    exhausted = [row for row in disputes if site.campaign.flow.of(row.task).makes]
    row = _after(votes, request.query_params.get("after", ""))
    if row is None:
        text = "There is nothing to decide."
        if exhausted:
            text += f"\n\n{len(exhausted)} items used up their attempts; `recombine annotate status` counts them."
        return site.message(request, "Nothing to decide", text, worker)
    return _page(site, request, worker, row, len(votes))


def take_decision(site: Site, request: Request, form: Form) -> Response:
    """Decide an item."""
    worker = _lead(site, request)
    item, decision, note = form.one("_item"), form.one("decision"), form.one("note")
    if decision not in ("accept", "reject") or len(note) > LONGEST_NOTE:
        raise RefusedError(400, "Choose whether the item is accepted. Go back and do so.")
    try:
        site.campaign.adjudicate(worker.id, item, accepted=decision == "accept", note=note.strip())
    except AdjudicationError as error:
        raise RefusedError(409, str(error)) from error
    return see("/decide")


def _lead(site: Site, request: Request) -> Worker:
    worker = site.worker(request)
    if not worker.leads:
        raise RefusedError(403, "This page is for leads of the campaign.")
    return worker


def _after(rows: list[ItemRow], item: str) -> ItemRow | None:
    """The row after the one that is named, beginning again at the end."""
    places = [place for place, row in enumerate(rows) if row.item == item]
    start = places[0] + 1 if places else 0
    return rows[start % len(rows)] if rows else None


def _page(site: Site, request: Request, worker: Worker, row: ItemRow, left: int) -> Response:
    task = site.campaign.flow.of(row.task)
    return site.page(
        request,
        "decide.html",
        worker,
        task=task,
        item=row.item,
        left=left,
        state=f"The votes say: {row.state}. {row.votes} counted.",
        parts=shown_parts(task, row.show, row.item),
        columns=[each.label for each in task.ask],
        answers=_answers(site, task, row),
    )


def _answers(site: Site, task: Task, row: ItemRow) -> list[dict[str, Any]]:
    return [
        {
            "texts": [text_of(each.answer.get(asked.name)) for asked in task.ask],
            "counted": each.counted,
            "reason": each.reason.replace("_", " "),
        }
        for each in site.campaign.responses_of(row.item)
    ]
