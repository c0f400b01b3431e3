"""Coming in: by a link with a secret, or from an outer platform with a worker's id."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.annotation.app.requests.cookie import write_cookie
from recombine.annotation.app.requests.guard import RefusedError
from recombine.annotation.app.site import see
from recombine.annotation.campaign.people.worker_rows import OUTER
from recombine.errors import UnknownTokenError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.site import Site

IDS = ("worker", "PROLIFIC_PID", "workerId")
"""What platforms call a worker's id in a link: ours, Prolific's and Mechanical Turk's."""
ID = re.compile(r"[A-Za-z0-9_.@-]{1,64}")
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


def home(site: Site, request: Request) -> Response:
    """The first page: work for who is known, a word for who is not."""
    if site.secret(request):
        return see("/work")
    text = "To take part, open the link that you were given. It says who you are."
    return site.message(request, site.campaign.flow.title, text)


def join(site: Site, request: Request) -> Response:
    """Exchange the secret of a join link for a cookie, so that it stands in no further address."""
    secret = request.path_params["secret"]
    try:
        site.campaign.worker_of(secret)
    except UnknownTokenError as error:
        raise RefusedError(404, "This link is not, or no longer, one of this site. Ask for a new one.") from error
    return _let_in(site, secret)


def enrol(site: Site, request: Request) -> Response:
    """Let a worker of an outer platform in, by the id in the link; who comes again goes on."""
    if not site.campaign.flow.open_enrolment:
        raise RefusedError(404, "There is no such page.")
    if request.query_params.get("assignmentId") == PREVIEW:
        return site.message(request, site.campaign.flow.title, "This is a preview. Accept the task to begin.")
    given = [value for name in IDS for value in request.query_params.getlist(name)]
    if len(given) != 1 or not ID.fullmatch(given[0]):
        raise RefusedError(400, f"The link has to hold your id, as {', '.join(IDS)}. Open it from the platform again.")
    if _is_here(site, request, given[0]):
        return see("/work")
    return _let_in(site, site.campaign.enrol(given[0]).token)


def _is_here(site: Site, request: Request, name: str) -> bool:
    try:
        return bool(secret := site.secret(request)) and site.campaign.worker_of(secret).name == f"{OUTER}{name}"
    except UnknownTokenError:
        return False


def _let_in(site: Site, secret: str) -> Response:
    response = see("/work")
    response.headers["set-cookie"] = write_cookie(secret, secure=site.settings.address.secure)
    response.headers["referrer-policy"] = "no-referrer"
    return response
