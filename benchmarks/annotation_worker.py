"""A worker of an annotation campaign over HTTP: joins by a link, reads pages as a browser without scripts, and answers.

It imports nothing of Recombine: what it knows of a page is its forms, as they stand in the HTML. `Page` has the forms
of a page, each with the values that are sent where nothing is chosen; a worker asks its `answer` for the fields of a
form and sends them. What the server acknowledged (it then leads on to another page) is kept in `acknowledged`, with
what was shown.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Any
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
"""The fields of an answer, from the HTML of the page (of one entry, where there are several) and its form."""
ENTRY = re.compile(r'<section class="entry"')
FIRST_TEXT = re.compile(r'<p class="text[^"]*"[^>]*>(.*?)</p>', re.DOTALL)
LISTED = re.compile(r'<ul class="list">.*?<li[^>]*>(.*?)</li>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
PATIENCE = 120
"""How often a page is asked for again that came with "too many requests", or did not come."""


def shown_texts(html: str) -> list[str]:
    """The texts that a page shows, without marks."""
    return [" ".join(unescape(TAG.sub("", found)).split()) for found in FIRST_TEXT.findall(html)]


def first_listed(html: str) -> str:
    """The first entry of the first list that a page shows."""
    return " ".join(unescape(TAG.sub("", LISTED.search(html).group(1))).split())  # type: ignore[union-attr]


class Worker:
    """One person with a browser that runs no scripts; `acknowledged` has what the server said it stored."""

    def __init__(self, link: str, answer: Answer, *, timeout: float = 60.0) -> None:
        self.link = link
        self.answer = answer
        self.acknowledged: list[tuple[list[str], dict[str, str | list[str]]]] = []
        self.batches_again = 0
        self.refused = 0
        self.title = ""
        self._client = httpx.AsyncClient(timeout=timeout)
        self._joined = False

    async def close(self) -> None:
        """Leave the browser."""
        await self._client.aclose()

    async def step(self) -> bool:
        """Look at the page of the work and do what it asks; false where it asks for nothing."""
        if not self._joined:
            await self._ask("GET", self.link)
            self._joined = True
        return await self._act(await self._ask("GET", urljoin(self.link, "/work")))

    async def _act(self, response: httpx.Response) -> bool:
        read = Page(response.text)
        self.title = read.text[:200]
        form = next((each for each in read.forms if each.method == "post"), None)
        if form is None:
            return False
        if "_assignment" in form.values:
            await self._answer(form, response)
        elif "_batch" in form.values:
            await self._reconsider(form, response)
        else:  # consent, or a survey, which is skipped
            named = [pair for pair in form.buttons if pair[0]]
            await self._send(form, str(response.url), {**form.values, **dict(named)})
        return True

    async def _answer(self, form: Form, response: httpx.Response) -> None:
        given = dict(self.answer(response.text, form))
        sent = await self._send(form, str(response.url), {**form.values, **given})
        if sent.status_code == 303:
            self.acknowledged.append((shown_texts(response.text), given))
        else:
            self.refused += 1

    async def _reconsider(self, form: Form, response: httpx.Response) -> None:
        """All entries of a batch once more, each from its own words."""
        given: dict[str, str | list[str]] = {}
        single: list[tuple[list[str], dict[str, str | list[str]]]] = []
        for entry in ENTRY.split(response.text)[1:]:
            part = Page(f"<form method=post>{entry}")
            said = self.answer(entry, part.forms[0])
            given.update(said)
            single.append((shown_texts(entry), {name.rpartition(".")[2]: value for name, value in said.items()}))
        sent = await self._send(form, str(response.url), {**form.values, **given})
        if sent.status_code == 303:
            self.acknowledged += single
            self.batches_again += 1

    async def _send(self, form: Form, url: str, values: Mapping[str, str | list[str]]) -> httpx.Response:
        origin = str(httpx.URL(url).join("/")).rstrip("/")
        return await self._ask("POST", urljoin(url, form.action), data=dict(values), headers={"Origin": origin})

    async def _ask(self, method: str, url: str, **more: Any) -> httpx.Response:
        """A page; asked for again where the server has too much to do."""
        for _ in range(PATIENCE):
            response = await self._client.request(method, url, follow_redirects=method == "GET", **more)
            if response.status_code != 429:
                break
            await asyncio.sleep(float(response.headers.get("Retry-After", "1")))
        if response.status_code not in (200, 303, 409, 422):
            response.raise_for_status()
        return response


async def work_all(workers: list[Worker], *, silence: float = 6.0, pause: float = 0.5) -> None:
    """Let all work at the same time, until none of them had anything to do for some seconds."""
    last = time.monotonic()

    async def one(worker: Worker) -> None:
        nonlocal last
        while time.monotonic() - last < silence:
            if await worker.step():
                last = time.monotonic()
            else:
                await asyncio.sleep(pause)

    await asyncio.gather(*(one(worker) for worker in workers))
    for worker in workers:
        await worker.close()
