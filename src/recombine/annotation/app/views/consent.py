"""The consent text, which comes before all work, and the survey, which anybody may pass over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.annotation.app.requests.guard import RefusedError
from recombine.annotation.app.site import see
from recombine.errors import RefusedAnswerError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.requests.read_form import Form
    from recombine.annotation.app.site import Site


def show_consent(site: Site, request: Request) -> Response:
    """What a worker agrees to."""
    worker = site.worker(request)
    if worker.consented:
        return see("/work")
    return site.page(request, "consent.html", worker, text=site.campaign.flow.consent)


def take_consent(site: Site, request: Request, _: Form) -> Response:
    """Note that the worker agreed."""
    worker = site.worker(request)
    site.campaign.consent(worker.id)
    return see("/survey" if site.campaign.flow.survey and not worker.surveyed else "/instructions")


def show_survey(site: Site, request: Request) -> Response:
    """The questions of the survey, once."""
    worker = site.worker(request)
    if worker.surveyed or not site.campaign.flow.survey:
        return see("/work")
    return site.page(request, "survey.html", worker, fields=site.campaign.flow.survey)


def take_survey(site: Site, request: Request, form: Form) -> Response:
    """Add to the totals what was answered; nothing where the survey is passed over."""
    worker = site.worker(request)
    if not worker.surveyed:
        answers = {each.name: form.one(each.name) for each in site.campaign.flow.survey}
        given = {name: value for name, value in answers.items() if value}
        try:
            site.campaign.survey(worker.id, None if form.one("_skip") or not given else given)
        except RefusedAnswerError as error:
            raise RefusedError(400, str(error)) from error
    return see("/instructions")
