"""A worker of an annotation campaign over HTTP: joins by a link, reads pages as a browser without scripts, and answers.

It imports nothing of Recombine: what it knows of a page is its forms, as they stand in the HTML. `Page` has the forms
of a page, each with the values that are sent where nothing is chosen; a worker asks its `answer` for the fields of a
form and sends them. What the server acknowledged (a page that is no error, after a redirect) is kept in `acknowledged`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

import httpx


@dataclass
class Form:
    """A form of a page."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    """Hidden fields, and texts as they stand there."""
    choices: dict[str, list[str]] = field(default_factory=dict)
    """The values of each group of radio buttons or boxes."""
    texts: list[str] = field(default_factory=list)
    """The names of fields of text."""
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """The forms and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.said: list[str] = []
        self._hidden = 0
        self._area = ""
        self.feed(html)

    @property
    def text(self) -> str:
        """The words of the page, blanks made one."""
        return " ".join(" ".join(self.said).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in ("script", "style"):
            self._hidden += 1
        elif tag == "form":
            self.forms.append(Form(given.get("action", ""), given.get("method", "get").lower()))
        elif self.forms and tag in ("input", "textarea", "button", "select"):
            self._control(self.forms[-1], tag, given)

    def _control(self, form: Form, tag: str, given: Mapping[str, str]) -> None:
        name, kind = given.get("name", ""), given.get("type", "text" if tag == "input" else tag)
        if not name and tag != "button":
            return
        if kind in ("radio", "checkbox"):
            form.choices.setdefault(name, []).append(given.get("value", "on"))
        elif tag == "button" or kind == "submit":
            form.buttons.append((name, given.get("value", "")))
        elif kind == "hidden":
            form.values[name] = given.get("value", "")
        elif name:
            form.texts.append(name)
            form.values[name] = given.get("value", "")
            self._area = name if tag == "textarea" else ""

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._hidden -= 1
        elif tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1].values[self._area] += data
        elif not self._hidden:
            self.said.append(data)


Answer = Callable[[str, Form], Mapping[str, str | list[str]]]
"""The fields of an answer, from the words of the page (of one entry, where there are several) and its form."""
ENTRY = re.compile(r'<section class="entry"')


@dataclass
class Sent:
    """An answer that the server acknowledged."""

    assignment: str
    answer: dict[str, str | list[str]]


class Worker:
    """One person with a browser that runs no scripts."""

    def __init__(self, link: str, answer: Answer, *, timeout: float = 60.0) -> None:
        self.link = link
        self.answer = answer
        self.acknowledged: list[Sent] = []
        self.reconsidered = 0
        self.refused = 0
        self.title = ""
        self._client = httpx.AsyncClient(timeout=timeout, follow_redirects=True)
        self._joined = False

    async def close(self) -> None:
        """Leave the browser."""
        await self._client.aclose()

    async def step(self) -> bool:
        """Look at the page of the work and do what it asks; false where it asks for nothing."""
        if not self._joined:
            page = await self._client.get(self.link)
            page.raise_for_status()
            self._joined = True
        else:
            page = await self._client.get(urljoin(self.link, "/work"))
            page.raise_for_status()
        return await self._act(page)

    async def _act(self, response: httpx.Response) -> bool:
        read = Page(response.text)
        self.title = read.text[:200]
        form = next((each for each in read.forms if each.method == "post"), None)
        if form is None:
            return "/work" not in str(response.url) and 'href="/work"' in response.text
        if "_assignment" in form.values:
            await self._answer(form, read, str(response.url))
        elif "_batch" in form.values:
            await self._reconsider(form, response)
        else:  # consent, or a survey, which is skipped
            named = [pair for pair in form.buttons if pair[0]]
            await self._send(form, str(response.url), {**form.values, **dict(named)})
        return True

    async def _answer(self, form: Form, read: Page, url: str) -> None:
        given = dict(self.answer(read.text, form))
        sent = await self._send(form, url, {**form.values, **given})
        again = Page(sent.text)
        refused = any(
            each.values.get("_assignment") == form.values["_assignment"]
            for each in again.forms
            if each.method == "post"
        )
        if refused:
            self.refused += 1
        else:
            self.acknowledged.append(Sent(form.values["_assignment"], given))

    async def _reconsider(self, form: Form, response: httpx.Response) -> None:
        """All entries of a batch once more, each from its own words."""
        given: dict[str, str | list[str]] = {}
        for entry in ENTRY.split(response.text)[1:]:
            part = Page(f"<form method=post>{entry}")
            given.update(self.answer(part.text, part.forms[0]))
        await self._send(form, str(response.url), {**form.values, **given})
        self.reconsidered += 1

    async def _send(self, form: Form, url: str, values: Mapping[str, str | list[str]]) -> httpx.Response:
        place = urljoin(url, form.action)
        origin = str(httpx.URL(url).join("/")).rstrip("/")
        sent = await self._client.post(place, data=dict(values), headers={"Origin": origin})
        if sent.status_code not in (200, 400, 409, 422):
            sent.raise_for_status()
        return sent


async def work_all(workers: list[Worker], *, rounds_without_work: int = 3, pause: float = 0.2) -> None:
    """Let all work at the same time, until none gets anything in several rounds one after the other."""

    async def one(worker: Worker) -> None:
        idle = 0
        while idle < rounds_without_work:
            if await worker.step():
                idle = 0
            else:
                idle += 1
                await asyncio.sleep(pause)

    await asyncio.gather(*(one(worker) for worker in workers))
