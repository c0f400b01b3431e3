"""What all pages share: the campaign, the settings, the templates, and who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse

from recombine.annotation.app.bracket_parts import bracket_parts
from recombine.annotation.app.prose_blocks import prose_blocks
from recombine.annotation.app.requests.cookie import read_cookie
from recombine.annotation.app.requests.csrf import csrf_word
from recombine.annotation.app.requests.guard import RefusedError
from recombine.annotation.app.static_files import read_static
from recombine.annotation.app.task_texts import task_texts
from recombine.errors import UnknownTokenError

if TYPE_CHECKING:
    from markupsafe import Markup
    from starlette.requests import Request
    from starlette.responses import Response

    from recombine.annotation.app.settings import Settings
    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.campaign.records import Worker
    from recombine.annotation.tasks.task import Task


class Site:
    """The campaign's site; every page is made by one of its views."""

    def __init__(self, campaign: Campaign, settings: Settings) -> None:
        self.campaign, self.settings = campaign, settings
        self.static = read_static()
        self._instructions: dict[str, Markup] = {}
        self._templates = make_environment()
        self._templates.globals["site"] = {
            "title": campaign.flow.title,
            "style": self.static["app.css"].url,
            "script": self.static["app.js"].url,
        }

    def instructions(self, task: Task) -> Markup:
        """The instructions of a task with their examples; they are the same on every page, and made once."""
        if task.name not in self._instructions:
            macros: Any = self._templates.get_template("task_text.html").module
            self._instructions[task.name] = macros.task_text(task_texts(task), "h2")
        return self._instructions[task.name]

    def secret(self, request: Request) -> str:
        """The secret in the request's cookie; empty where there is none."""
        return read_cookie(request.headers.get("cookie", ""), secure=self.settings.address.secure)

    def worker(self, request: Request) -> Worker:
        """Who asks; refused where the cookie is nobody's."""
        try:
            return self.campaign.worker_of(self.secret(request) or "-")
        except UnknownTokenError as error:
            raise RefusedError(401, "Open the link that you were given: it says who you are.") from error

    def page(
        self, request: Request, template: str, worker: Worker | None = None, *, status: int = 200, **values: Any
    ) -> Response:
        """A page of a template; `csrf` is there for its forms."""
        values |= {"csrf": csrf_word(self.secret(request)), "links": self._links(request, worker)}
        return HTMLResponse(self._templates.get_template(template).render(values), status)

    def message(self, request: Request, title: str, text: str, worker: Worker | None = None, **more: Any) -> Response:
        """A page that says something and perhaps leads on."""
        values = {"code": "", "action": None} | more
        return self.page(request, "message.html", worker, title=title, text=text, **values)

    def _links(self, request: Request, worker: Worker | None) -> list[dict[str, Any]]:
        if worker is None or not worker.consented:
            return []
        pages = [("/work", "Work"), ("/instructions", "Instructions")]
        pages += [("/decide", "Decide")] * worker.leads + [("/finish", "Finish")] * self.campaign.flow.open_enrolment
        return [{"url": url, "name": name, "here": url == request.url.path} for url, name in pages]


def make_environment() -> Environment:
    """The app's templates; whatever is filled in is escaped."""
    environment = Environment(
        loader=PackageLoader("recombine", "annotation/app/templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    environment.filters |= {"parts": bracket_parts, "blocks": prose_blocks}
    return environment


def see(url: str) -> Response:
    """Lead the browser on to another page, by GET."""
    return RedirectResponse(url, 303)
