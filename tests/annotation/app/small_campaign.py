"""A small campaign with one item of every kind of task, and an app over it that listens."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from recombine.annotation.app.address import address_of
from recombine.annotation.app.make_app import make_app
from recombine.annotation.app.serve import SERVER, take_port
from recombine.annotation.app.settings import Settings
from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.tasks.read_flow import check_flow

MARKUP = "<script>alert(1)</script>"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63606060f80f0001040100a1d5e23e0000000049454e44ae426082"
)
GRAPH = {
    "nodes": [
        {"nid": 0, "node_type": "class", "id": "star", "class": "t.star", "friendly_name": "Star", "question_node": 1},
        {"nid": 1, "node_type": "entity", "id": "m.1", "class": "t.group", "friendly_name": "Orion",
         "description": f"A group of stars. {MARKUP}"},
    ],
    "edges": [{"start": 1, "end": 0, "relation": "t.group.contains", "friendly_name": "contains"}],
}  # fmt: skip
YES_NO = [{"name": name, "label": f"Is it {name}?", "kind": "yes_no"} for name in ("same", "fluent")]
SURE = [{"field": name, "equals": "yes", "at_least": 0.6} for name in ("same", "fluent")]

FLOW: dict[str, Any] = {
    "name": "small",
    "title": f"Small {MARKUP}",
    "about": f"All kinds of tasks. {MARKUP}",
    "consent": f"You agree.\n\n- to this\n- to {MARKUP}",
    "survey": [{"name": "age", "label": f"Age {MARKUP}", "options": ["young", "old"]}],
    "open_enrolment": True,
    "complete_after": 2,
    "task": [
        {
            "name": "form", "title": f"A tree {MARKUP}", "instructions": f"Look. {MARKUP}", "workers": 1,
            "show": [{"name": "graph", "label": "Graph", "kind": "tree"}],
            "ask": [{"name": "asked", "label": f"Would one ask? {MARKUP}", "help": MARKUP, "kind": "yes_no"}],
            "accept": [{"field": "asked", "equals": "yes"}],
            "example": [{"show": {}, "answer": {"asked": "yes"}, "reason": MARKUP}],
        },
        {
            "name": "paraphrase", "title": "Write", "instructions": "Write it.", "until_valid": 1, "attempts": 3,
            "show": [{"name": "question", "label": "Question"}, {"name": "answers", "label": "Two", "kind": "list"}],
            "ask": [{"name": "text", "label": "Your question", "kind": "text", "longest": 200}],
            "refuse": [{"field": "text", "brackets_of": "question", "copies_of": ["question"]}],
            "judged_by": {"task": "check", "show": {"canonical": "show.question", "question": "answer.text"}},
        },
        {
            "name": "names", "title": "Choose some", "instructions": "Choose.", "workers": 1,
            "show": [{"name": "name", "label": "Name"}],
            "ask": [{"name": "names", "label": "Names", "kind": "several", "options_from": "names",
                     "may_be_empty": True}],
            "accept": [{"field": "names", "at_least": 0.6}],
        },
        {
            "name": "validate", "title": "Pictures", "instructions": "Look.", "workers": 1,
            "show": [{"name": "pictures", "label": "Pictures", "kind": "images"}, {"name": "question", "label": "Q"}],
            "ask": [{"name": "verdict", "label": "Verdict", "kind": "choice",
                     "options": ["valid", "not valid", "unsure"]}],
            "accept": [{"field": "verdict", "equals": "valid"}],
        },
        {
            "name": "check", "title": "Judge", "instructions": "Judge.", "workers": 2, "not_by": ["author"],
            "show": [{"name": "canonical", "label": "Old"}, {"name": "question", "label": "New"}],
            "ask": YES_NO, "accept": SURE, "batch": {"size": 3, "controls": 1, "pause_after": 1},
        },
    ],
}  # fmt: skip
PICTURES = ["a.png", {"path": "b.png", "alt": '"><script>'}]
ITEMS: list[dict[str, Any]] = [
    {"item": "f", "task": "form", "show": {"graph": GRAPH}},
    {"item": "p", "task": "paraphrase", "show": {"question": f"who wrote [Jaws]? {MARKUP}", "answers": [MARKUP, "2"]}},
    {"item": "n", "task": "names", "show": {"name": MARKUP, "names": ["one", "two", MARKUP]}},
    {"item": "v", "task": "validate", "show": {"pictures": PICTURES, "question": "Q?"}},
    *({"item": f"c{k}", "task": "check", "show": {"canonical": f"old {k}", "question": f"new {k} {MARKUP}"}}
      for k in range(2)),
]  # fmt: skip
GOOD, BAD = ({"canonical": f"control {each}", "question": each} for each in ("good", "bad"))
CONTROLS = [
    {"task": "check", "show": GOOD, "answer": {"same": "yes", "fluent": "yes"}},
    {"task": "check", "show": BAD, "answer": {"same": "no", "fluent": "yes"}},
]
# Of form, paraphrase, names and validate; the answer to a check that fails either control is `FAILS`.
ANSWERS: dict[str, dict[str, Any]] = {
    "form": {"asked": "yes"},
    "paraphrase": {"text": "Who is the author of [Jaws]?"},
    "names": {"names": ["one", MARKUP]},
    "validate": {"verdict": "not valid"},
}
FAILS = {"same": "yes", "fluent": "no"}


@dataclass
class Small:
    """A campaign, its app's address, and its folder."""

    campaign: Campaign
    url: str
    folder: Path
    clients: list[httpx.Client]

    def add(self, *qualifications: str, agreed: bool = True) -> str:
        """A new worker's token; one who has agreed and passed over the survey, unless told otherwise."""
        new = self.campaign.add_workers([f"w{time.monotonic_ns()}"], qualifications=qualifications)[0]
        if agreed:
            self.campaign.consent(new.worker.id)
            self.campaign.survey(new.worker.id, None)
        return new.token

    def browser(self, token: str = "") -> httpx.Client:
        """A client that has joined."""
        client = httpx.Client(base_url=self.url, timeout=30)
        self.clients.append(client)
        if token:
            assert client.get(f"/join/{token}").status_code == 303
        return client

    def given(self, task: str = "") -> list[dict[str, Any]]:
        """All answers that are stored, in order."""
        return [dict(row.answer) for row in self.campaign.responses() if task in ("", row.task)]


@contextmanager
def small_campaign(folder: Path, *, items: list[dict[str, Any]] | None = None, **settings: Any) -> Iterator[Small]:
    """A campaign in a folder, served until the end; with all of `ITEMS`, or with these."""
    (folder / "a.png").write_bytes(PNG)
    (folder / "b.png").write_bytes(PNG)
    campaign = Campaign.create(folder / "campaign.db", check_flow(FLOW, "small"), name="small")
    campaign.add_controls(CONTROLS)
    campaign.add_items(ITEMS if items is None else items)
    listening = take_port("127.0.0.1", 0)
    address = address_of("127.0.0.1", listening.getsockname()[1])
    app = make_app(campaign, Settings(address, folder, **({"requests_per_second": 1e6, "burst": 10**6} | settings)))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, **SERVER | {"timeout_graceful_shutdown": 1}))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    small = Small(campaign, address.url, folder, [])
    yield small
    for client in small.clients:
        client.close()
    server.should_exit = True
    thread.join(10)
    listening.close()
    campaign.close()


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page's form."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
