"""The app: which address leads to which page, behind the guard."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from recombine.annotation.app.requests.guard import Guard, RefusedError
from recombine.annotation.app.requests.rate_limit import RateLimit
from recombine.annotation.app.requests.read_form import read_form
from recombine.annotation.app.site import Site
from recombine.annotation.app.views import consent, decide, instructions, join, no_work, pictures, reconsider, work
from recombine.errors import CampaignError, StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from recombine.annotation.app.requests.read_form import Form
    from recombine.annotation.app.settings import Settings
    from recombine.annotation.campaign.campaign import Campaign

THREADS = 32
"""Pages that are made at once; most of them wait for the store."""
TITLES = {401: "Who are you?", 403: "Not for you", 404: "Not there", 409: "Not possible", 413: "Too long"}
PAGES: dict[str, Callable[[Site, Request], Response]] = {
    "/work": work.show_work,
    "/": join.home,
    "/join/{secret}": join.join,
    "/enrol": join.enrol,
    "/consent": consent.show_consent,
    "/survey": consent.show_survey,
    "/instructions": instructions.show_instructions,
    "/picture/{part}/{number:int}/{item:path}": pictures.show_picture,
    "/finish": no_work.show_finish,
    "/decide": decide.show_disputes,
}
FORMS: dict[str, Callable[[Site, Request, Form], Response]] = {
    "/work": work.take_answer,
    "/consent": consent.take_consent,
    "/survey": consent.take_survey,
    "/draft": work.take_draft,
    "/reconsider": reconsider.take_again,
    "/decide": decide.take_decision,
}


def make_app(campaign: Campaign, settings: Settings, *, close: bool = False) -> ASGIApp:
    """The app over a campaign; with `close` it closes the campaign when it ends."""
    site = Site(campaign, settings)

    threads = ThreadPoolExecutor(THREADS, "page")

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        threads.shutdown()
        if close:
            campaign.close()

    app = Starlette(routes=_routes(site, threads), exception_handlers=_handlers(site), lifespan=lifespan)
    limits = [RateLimit(per_second=settings.requests_per_second, burst=settings.burst) for _ in range(2)]
    return Guard(app, address=settings.address, by_worker=limits[0], by_address=limits[1])


def _routes(site: Site, threads: ThreadPoolExecutor) -> list[Route]:
    async def made(view: Callable[..., Response], *given: Any) -> Response:
        return await asyncio.get_running_loop().run_in_executor(threads, view, site, *given)

    def page(view: Callable[[Site, Request], Response]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await made(view, request)

        return endpoint

    def form(view: Callable[[Site, Request, Form], Response]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await made(view, request, await read_form(request, site.secret(request)))

        return endpoint

    forms = [Route(path, form(view), methods=["POST"]) for path, view in FORMS.items()]
    pages = [Route(path, page(view), methods=["GET"]) for path, view in PAGES.items()]
    return [*pages, *forms, *_files(site)]


def _files(site: Site) -> list[Route]:
    """The style and the script, each at its one address; browsers that ask for an icon are told there is none."""

    def file_route(url: str, body: bytes, kind: str) -> Route:
        async def endpoint(_: Request) -> Response:
            return Response(body, media_type=kind, headers={"cache-control": "public, max-age=31536000, immutable"})

        return Route(url, endpoint, methods=["GET"])

    async def no_icon(_: Request) -> Response:
        return Response(status_code=204, headers={"cache-control": "public, max-age=86400"})

    files = [file_route(each.url, each.body, each.kind) for each in site.static.values()]
    return [*files, Route("/favicon.ico", no_icon, methods=["GET"])]


def _handlers(site: Site) -> dict[Any, Any]:
    async def refused(request: Request, error: RefusedError) -> Response:
        return site.message(request, TITLES.get(error.status, "This did not work"), error.text, status=error.status)

    async def missing(request: Request, error: HTTPException) -> Response:
        text = "There is no such page." if error.status_code == 404 else str(error.detail)
        return site.message(request, TITLES.get(error.status_code, "This did not work"), text, status=error.status_code)

    async def store(request: Request, _: StoreError) -> Response:
        text = "The campaign's store cannot be reached, so nothing was kept. Go back, and send it again in a minute."
        return site.message(request, "Out of order", text, status=503)

    async def rule(request: Request, error: CampaignError) -> Response:
        return site.message(request, TITLES[409], f"{error}.", status=409)

    return {RefusedError: refused, HTTPException: missing, StoreError: store, CampaignError: rule}
