"""A batch that its worker is asked to look at once more: all of it on one page, with nothing said of which it is about.

GrailQA, section 3.1, task 2: whoever fails a control is asked to reconsider the whole batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.annotation.app.asked_fields import asked_fields, missing_fields, problem_text, read_answer
from recombine.annotation.app.requests.guard import RefusedError
from recombine.annotation.app.shown_parts import shown_parts
from recombine.annotation.app.site import see
from recombine.errors import AlreadyAnsweredError, NotYoursError, RefusedAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.requests.read_form import Form
    from recombine.annotation.app.site import Site
    from recombine.annotation.campaign.records import Assignment, Work, Worker
    from recombine.annotation.tasks.task import Task


def reconsider_page(
    site: Site,
    request: Request,
    worker: Worker,
    work: Work,
    answers: Mapping[str, Mapping[str, Any]] | None = None,
    problems: Mapping[str, Mapping[str, str]] | None = None,
) -> Response:
    """The batch with the answers of the round before, or with those that just came and lack something."""
    task = site.campaign.flow.of(work.task)
    entries = [_entry(task, each, answers or {}, problems or {}) for each in work.assignments if not each.answered]
    said = [
        {"field": f"{each['prefix']}{name}", "text": f"{each['prefix'][:-1]}: {problem_text(task, name, why)}"}
        for each in entries
        for name, why in each["problems"].items()
    ]
    batch = f"{work.round} {work.batch}"
    values = {"instructions": site.instructions(task), "entries": entries, "batch": batch, "problems": said}
    return site.page(request, "reconsider.html", worker, status=422 if said else 200, **values)


def take_again(site: Site, request: Request, form: Form) -> Response:
    """Store all answers of a batch once more; none where one of them lacks something."""
    worker = site.worker(request)
    work = site.campaign.work(worker.id)
    if work is None or form.one("_batch") != f"{work.round} {work.batch}":
        return see("/work?after=already")
    task = site.campaign.flow.of(work.task)
    answers = {each.item: read_answer(task, form, prefix_of(each)) for each in work.assignments if not each.answered}
    problems = {item: lacks for item, answer in answers.items() if (lacks := missing_fields(task, answer))}
    if problems:
        return reconsider_page(site, request, worker, work, answers, problems)
    try:
        site.campaign.submit_all(worker.id, work.batch, answers, round=work.round)
    except AlreadyAnsweredError:
        return see("/work?after=already")
    except (NotYoursError, RefusedAnswerError) as error:
        raise RefusedError(403, f"{error}.") from error
    return see("/work")


def prefix_of(assignment: Assignment) -> str:
    """What stands before the names of an item's fields, since all items share a page."""
    return f"{assignment.position}."


def _entry(
    task: Task,
    assignment: Assignment,
    answers: Mapping[str, Mapping[str, Any]],
    problems: Mapping[str, Mapping[str, str]],
) -> dict[str, Any]:
    wrong = problems.get(assignment.item, {})
    answer = answers.get(assignment.item, assignment.answer)
    return {
        "prefix": prefix_of(assignment),
        "parts": shown_parts(task, assignment.show, assignment.item),
        "fields": asked_fields(task, assignment.show, answer, wrong),
        "problems": wrong,
    }
