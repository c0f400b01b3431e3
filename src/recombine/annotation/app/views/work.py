"""The work: the next item of what is kept for a worker, and its answer; or why there is none.

A worker has one open batch, which is shown again until it is answered, so that a reload, the Back button and a second
tab all show the same item; an answer that comes twice is stored once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.annotation.app.asked_fields import asked_fields, missing_fields, problem_text, read_answer
from recombine.annotation.app.requests.guard import RefusedError
from recombine.annotation.app.shown_parts import shown_parts
from recombine.annotation.app.site import see
from recombine.annotation.app.views.no_work import no_work_page
from recombine.annotation.app.views.reconsider import reconsider_page
from recombine.annotation.campaign.records import NoWork
from recombine.errors import AlreadyAnsweredError, ConsentError, NotYoursError, RefusedAnswerError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.requests.read_form import Form
    from recombine.annotation.app.site import Site
    from recombine.annotation.campaign.records import Assignment, Work, Worker
    from recombine.annotation.tasks.task import Task

NOTICES = {
    "already": "That item was answered already. Your first answer stands, and here is the next one.",
    "late": "That answer came after the item had gone back to others. It is kept, but does not count.",
    "gone": "The item was no longer kept for you. Here is another one.",
}


def show_work(site: Site, request: Request) -> Response:
    """The item to do now, the batch to look at again, or why there is nothing."""
    worker = site.worker(request)
    if not worker.consented:
        return see("/consent")
    if site.campaign.flow.survey and not worker.surveyed:
        return see("/survey")
    try:
        work = site.campaign.claim(worker.id)
    except ConsentError:
        return see("/consent")
    if isinstance(work, NoWork):
        return no_work_page(site, request, worker, work)
    if work.reconsidered:
        return reconsider_page(site, request, worker, work)
    notice = NOTICES.get(request.query_params.get("after", ""), "")
    return _task_page(site, request, worker, work, work.next, notice=notice)


def take_answer(site: Site, request: Request, form: Form) -> Response:
    """Store an answer and lead on to the next item; what is refused comes back with the reason."""
    worker = site.worker(request)
    place = Place.read(form.one("_assignment"))
    task = place.task(site)
    answer = read_answer(task, form)
    problems = missing_fields(task, answer)
    if not problems:
        try:
            receipt = site.campaign.submit(worker.id, place.batch, place.item, answer, round=place.round)
        except RefusedAnswerError as error:
            problems = {error.field: str(error)}
        except AlreadyAnsweredError:
            return see("/work?after=already")
        except NotYoursError as error:
            raise RefusedError(403, "This item is not one of yours.") from error
        else:
            return see("/work?after=late" if receipt.late else "/work")
    return _again(site, request, worker, place, answer, problems)


def take_draft(site: Site, request: Request, form: Form) -> Response:
    """Keep what is written so far."""
    from starlette.responses import Response as Plain

    worker = site.worker(request)
    place = Place.read(form.one("_assignment"))
    draft = read_answer(place.task(site), form)
    try:
        site.campaign.save_draft(worker.id, place.batch, place.item, draft)
    except NotYoursError as error:
        raise RefusedError(403, "This item is not one of yours.") from error
    except RefusedAnswerError as error:
        raise RefusedError(413, str(error)) from error
    return Plain(status_code=204)


class Place:
    """Which item of which batch a form is about; it comes back from the browser, and the campaign checks it."""

    def __init__(self, batch: str, item: str, round: int, task: str) -> None:  # noqa: A002
        self.batch, self.item, self.round, self._task = batch, item, round, task

    @classmethod
    def read(cls, text: str) -> Place:
        """A place as a form holds it."""
        parts = text.split(" ", 3)
        if len(parts) != 4 or not (parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 4):
            raise RefusedError(400, "The form does not say which item it answers.")
        return cls(parts[2], parts[3], int(parts[0]), parts[1])

    def __str__(self) -> str:
        return f"{self.round} {self._task} {self.batch} {self.item}"

    def task(self, site: Site) -> Task:
        """The task whose fields the form has."""
        try:
            return site.campaign.flow.of(self._task)
        except UnknownNameError as error:
            raise RefusedError(400, "The form names no task of this campaign.") from error


def _again(
    site: Site, request: Request, worker: Worker, place: Place, answer: Mapping[str, Any], problems: Mapping[str, str]
) -> Response:
    """The form with what was written and why it was refused."""
    work = site.campaign.work(worker.id)
    kept = [each for each in work.assignments if each.item == place.item] if work and work.batch == place.batch else []
    if work is None or not kept:
        return see("/work?after=gone")
    if kept[0].answered:
        return see("/work?after=already")
    return _task_page(site, request, worker, work, kept[0], answer=answer, problems=problems)


def _task_page(
    site: Site,
    request: Request,
    worker: Worker,
    work: Work,
    assignment: Assignment,
    *,
    answer: Mapping[str, Any] | None = None,
    problems: Mapping[str, str] | None = None,
    notice: str = "",
) -> Response:
    task = site.campaign.flow.of(work.task)
    fields = asked_fields(task, assignment.show, assignment.draft if answer is None else answer, problems)
    return site.page(
        request,
        "task.html",
        worker,
        status=422 if problems else 200,
        task=task,
        instructions=site.instructions(task),
        first=worker.answered == 0,
        assignment=str(Place(work.batch, assignment.item, work.round, work.task)),
        parts=shown_parts(task, assignment.show, assignment.item),
        fields=fields,
        problems=[{"field": name, "text": problem_text(task, name, why)} for name, why in (problems or {}).items()],
        progress=_progress(work),
        notice=notice,
    )


def _progress(work: Work) -> dict[str, Any] | None:
    of = len(work.assignments)
    return {"done": work.done, "of": of, "text": f"{work.done + 1} of {of}"} if of > 1 else None
