"""The pages over HTTP, as a browser without scripts sees them: what is shown, taken, and refused."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from small_campaign import ANSWERS, FAILS, FLOW, ITEMS, MARKUP, PNG, Small, hidden, small_campaign

from recombine.annotation.app.address import address_of
from recombine.annotation.app.make_app import make_app
from recombine.annotation.app.settings import Settings
from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.tasks.read_flow import check_flow


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """A campaign with one item of each kind."""
    with small_campaign(tmp_path) as served:
        yield served


FORMS = [{"item": f"f{k}", "task": "form", "show": {"graph": {"label": f"n{k}"}}} for k in range(60)]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """A campaign with forms enough for all tests that leave nothing behind."""
    with small_campaign(tmp_path_factory.mktemp("many"), items=FORMS) as served:
        yield served
        assert served.given() == []


def task_of(page: str) -> str:
    """The task that a page's form is of."""
    return hidden(page)["_assignment"].split(" ")[1]


def answer(client: httpx.Client, given: dict[str, Any] | None = None) -> httpx.Response:
    """Answer what the work page asks."""
    page = client.get("/work").text
    known = ANSWERS.get(task_of(page), {"same": "yes", "fluent": "yes"}) if given is None else given
    return client.post("/work", data=hidden(page) | known)


# -- coming in ---------------------------------------------------------------------------------------------------------


def test_a_worker_comes_in_by_the_link_agrees_and_works(small: Small) -> None:
    client = small.browser()
    joined = client.get(f"/join/{small.add(agreed=False)}")
    assert (joined.status_code, joined.headers["location"]) == (303, "/work")
    cookie = joined.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert client.get("/work").headers["location"] == "/consent"
    page = client.get("/consent").text
    assert "You agree." in page
    assert client.post("/consent", data=hidden(page)).headers["location"] == "/survey"
    assert client.get("/work").headers["location"] == "/survey"
    page = client.get("/survey").text
    assert client.post("/survey", data=hidden(page) | {"age": "old"}).headers["location"] == "/instructions"
    assert "All kinds of tasks" in client.get("/instructions").text
    assert task_of(client.get("/work").text) == "form"


def test_the_survey_can_be_passed_over_and_is_asked_once(small: Small) -> None:
    token = small.add(agreed=False)
    client = small.browser(token)
    client.post("/consent", data=hidden(client.get("/consent").text))
    client.post("/survey", data=hidden(client.get("/survey").text) | {"_skip": "1", "age": "old"})
    assert small.campaign.worker_of(token).surveyed
    assert client.get("/survey").headers["location"] == "/work"
    assert small.campaign.survey_totals().counts == {}


def test_no_work_before_consent(many: Small) -> None:
    client = many.browser(many.add(agreed=False))
    form = hidden(client.get("/consent").text)
    sent = client.post("/work", data=form | {"_assignment": "1 form b i", "asked": "yes"})
    assert sent.status_code in (403, 303)


def test_open_enrolment_by_the_platforms_id(small: Small) -> None:
    client = small.browser()
    assert client.get("/enrol", params={"PROLIFIC_PID": "p1"}).status_code == 303
    again = small.browser()
    assert again.get("/enrol", params={"worker": "p1"}).status_code == 303
    assert [worker.name for worker in small.campaign.workers()] == ["outer:p1"]
    # In the browser that is in already nothing is made anew.
    assert "set-cookie" not in again.get("/enrol", params={"workerId": "p1"}).headers


def test_an_outer_id_is_never_somebody_who_was_invited(small: Small) -> None:
    invited = small.campaign.add_workers(["ann"])[0].worker.id
    client = small.browser()
    client.get("/enrol", params={"worker": "ann"})
    came = small.campaign.worker_of(client.cookies["worker"])
    assert came.id != invited
    small.campaign.forget(came.id)
    # Whoever is forgotten is not known by the cookie, and comes as somebody new.
    assert client.get("/work").status_code == 401
    assert client.get("/enrol", params={"worker": "ann"}).status_code == 303
    assert small.campaign.worker_of(client.cookies["worker"]).id not in (came.id, invited)


@pytest.mark.parametrize(
    "query", ["", "worker=", "worker=a%20b", "worker=a&workerId=b", "worker=%3Cscript%3E", "worker=" + "a" * 65]
)
def test_ids_that_are_none_are_refused(many: Small, query: str) -> None:
    before = len(many.campaign.workers())
    assert many.browser().get(f"/enrol?{query}").status_code == 400
    assert len(many.campaign.workers()) == before


def test_a_preview_enrols_nobody(many: Small) -> None:
    before = len(many.campaign.workers())
    page = many.browser().get("/enrol?workerId=A1&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    assert "preview" in page.text
    assert len(many.campaign.workers()) == before


def test_the_completion_code_comes_after_enough_answers(small: Small) -> None:
    token = small.add()
    client, worker = small.browser(token), small.campaign.worker_of(token).id
    assert "2 are still missing" in client.get("/finish").text
    answer(client)
    assert "1 are still missing" in client.get("/finish").text
    answer(client)
    code = small.campaign.completion_code(worker)
    assert code
    assert code in client.get("/finish").text


# -- the work ----------------------------------------------------------------------------------------------------------


def test_every_kind_of_task_is_answered(small: Small) -> None:
    client = small.browser(small.add())
    for _ in range(4):
        assert answer(client).headers["location"] == "/work"
    assert small.given() == list(ANSWERS.values())


def test_nothing_chosen_of_several_is_an_answer(small: Small) -> None:
    client = small.browser(small.add())
    answer(client)
    answer(client)
    assert task_of(client.get("/work").text) == "names"
    assert answer(client, {}).status_code == 303
    assert small.given("names") == [{"names": []}]


def test_what_is_missing_is_said_and_nothing_is_stored(many: Small) -> None:
    client = many.browser(many.add())
    sent = answer(client, {})
    assert sent.status_code == 422
    assert "Choose one." in sent.text


def test_a_refused_text_comes_back_with_the_reason(small: Small) -> None:
    client = small.browser(small.add())
    answer(client)
    before = hidden(client.get("/work").text)["_assignment"]
    sent = answer(client, {"text": "Who wrote <it>\nthen?"})
    assert sent.status_code == 422
    assert hidden(sent.text)["_assignment"] == before
    assert "[Jaws]" in re.findall(r'<p class="why".*?</p>', sent.text)[0]
    assert "\nWho wrote &lt;it&gt;\nthen?</textarea>" in sent.text
    assert small.given("paraphrase") == []


def test_sent_twice_is_stored_once(small: Small) -> None:
    client = small.browser(small.add())
    form = hidden(client.get("/work").text) | {"asked": "yes"}
    assert [client.post("/work", data=form).status_code for _ in range(3)] == [303] * 3
    other = client.post("/work", data=form | {"asked": "no"})
    assert other.headers["location"] == "/work?after=already"
    assert "first answer stands" in client.get("/work?after=already").text
    assert small.given() == [{"asked": "yes"}]


def test_the_same_item_until_it_is_answered(many: Small) -> None:
    client = many.browser(many.add())
    pages = {hidden(client.get("/work").text)["_assignment"] for _ in range(3)}
    assert len(pages) == 1


def test_a_draft_is_kept_until_the_answer(small: Small) -> None:
    client = small.browser(small.add())
    answer(client)
    form = hidden(client.get("/work").text)
    assert client.post("/draft", data=form | {"text": "Who is [J"}).status_code == 204
    assert "\nWho is [J</textarea>" in client.get("/work").text
    answer(client)
    assert client.post("/draft", data=form | {"text": "late"}).status_code == 403


def test_a_failed_control_asks_for_the_whole_batch_again(small: Small) -> None:
    client = small.browser(small.add())
    for _ in range(4):
        answer(client)
    for number in range(3):
        page = client.get("/work").text
        assert f"{number + 1} of 3" in page
        answer(client, FAILS)
    page = client.get("/work").text
    assert "Please look at these 3 again" in page
    # All three are there with what was answered, and nothing says which is the control.
    assert page.count('<section class="entry"') == 3
    assert page.count('value="no" checked') == 3
    entries = page.split('<section class="entry"')[1:]
    assert "control" not in re.sub("control (good|bad)", "", page).lower()
    assert [re.findall(r'name="(\d)\.same"', entry)[0] for entry in entries] == ["1", "2", "3"]
    part = client.post("/reconsider", data=hidden(page) | {"1.same": "yes", "1.fluent": "yes"})
    assert part.status_code == 422
    assert len(small.given("check")) == 3
    good = {f"{k}.{name}": "yes" for k in (1, 2, 3) for name in ("same", "fluent")}
    bad = next((k for k, entry in enumerate(entries, 1) if "control bad" in entry), 0)
    assert (
        client.post("/reconsider", data=hidden(page) | good | ({f"{bad}.same": "no"} if bad else {})).status_code == 303
    )
    assert len(small.given("check")) == 6
    assert {batch.state for batch in small.campaign.batches() if batch.task == "check"} == {"passed"}
    assert "Nothing left for now" in client.get("/work").text


def test_failing_again_pauses_and_says_so(small: Small) -> None:
    client = small.browser(small.add())
    for _ in range(4):
        answer(client)
    for _ in range(3):
        answer(client, FAILS)
    page = client.get("/work").text
    same = {f"{k}.{name}": value for k in (1, 2, 3) for name, value in FAILS.items()}
    assert client.post("/reconsider", data=hidden(page) | same).headers["location"] == "/work"
    assert "You are paused" in client.get("/work").text
    # The form of the batch that has ended changes nothing.
    assert client.post("/reconsider", data=hidden(page) | same).headers["location"] == "/work?after=already"
    assert len(small.given("check")) == 6


def test_a_lead_decides_where_judges_are_apart(small: Small) -> None:
    for given in ({"same": "yes", "fluent": "yes"}, {"same": "no", "fluent": "yes"}):
        client = small.browser(small.add())
        for _ in range(4 if given["same"] == "yes" else 0):
            answer(client)
        while "_assignment" in hidden(page := client.get("/work").text) or "_batch" in hidden(page):
            control = {"same": "no" if "control bad" in page else "yes", "fluent": "yes"}
            client.post("/work", data=hidden(page) | (control if "control" in page else given))
    lead = small.browser(small.add("lead"))
    page = lead.get("/decide").text
    assert "to decide" in page
    assert page.count("<tbody>") == 1
    item = hidden(page)["_item"]
    assert lead.post("/decide", data=hidden(page) | {"note": "x"}).status_code == 400
    sent = lead.post("/decide", data=hidden(page) | {"decision": "accept", "note": "seen"})
    assert sent.headers["location"] == "/decide"
    assert small.campaign.item(item).state == "accepted"
    assert hidden(lead.get("/decide").text).get("_item") != item


def test_pictures_of_ones_own_item(small: Small) -> None:
    client = small.browser(small.add())
    for _ in range(3):
        answer(client)
    urls = re.findall(r'<img src="([^"]+)"', client.get("/work").text)
    assert len(urls) == 2
    for url in urls:
        picture = client.get(url)
        assert (picture.content, picture.headers["content-type"]) == (PNG, "image/png")
        assert picture.headers["x-content-type-options"] == "nosniff"


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_forged_and_foreign_secrets(many: Small, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with small_campaign(tmp_path / "other") as other:
        foreign = other.add()
    client = many.browser()
    for secret in ("A" * 43, foreign, "short", "%2e%2e", f"{many.add()[:-1]}!"):
        assert client.get(f"/join/{secret}").status_code == 404
        for page in ("/work", "/instructions", "/consent", "/decide", "/finish", "/picture/pictures/0/v"):
            refused = client.get(page, headers={"cookie": f"worker={secret}"})
            assert refused.status_code == 401, page


def test_a_form_without_its_word_or_with_anothers(small: Small) -> None:
    mine, theirs = small.browser(small.add()), small.browser(small.add())
    form = hidden(mine.get("/work").text) | {"asked": "yes"}
    words = [{}, {"_csrf": ""}, {"_csrf": "x"}, {"_csrf": hidden(theirs.get("/instructions").text).get("_csrf", "")}]
    theirs_word = hidden(theirs.get("/work").text)["_csrf"]
    for word in [*words, {"_csrf": theirs_word}, {"_csrf": [form["_csrf"], "x"]}]:
        wrong = {name: value for name, value in form.items() if name != "_csrf"} | word
        assert mine.post("/work", data=wrong).status_code in (400, 403)
        assert mine.post("/draft", data=wrong).status_code in (400, 403)
    assert small.given() == []
    assert mine.post("/work", data=form).status_code == 303


def test_foreign_origins(small: Small) -> None:
    client = small.browser(small.add())
    form = hidden(client.get("/work").text) | {"asked": "yes"}
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://localhost", ""):
        assert client.post("/work", data=form, headers={"origin": origin}).status_code == 403
    assert client.post("/work", data=form, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert small.given() == []
    assert client.post("/work", data=form, headers={"origin": small.url}).status_code == 303


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", ""])
def test_foreign_hosts(many: Small, host: str) -> None:
    assert many.browser().get("/", headers={"host": host}).status_code in (400, 421)


def test_our_own_names_are_answered(many: Small) -> None:
    port = many.url.rpartition(":")[2]
    assert many.browser().get("/", headers={"host": f"localhost:{port}"}).status_code == 200


def test_a_megabyte_is_too_long(small: Small) -> None:
    client = small.browser(small.add())
    answer(client)
    form = hidden(client.get("/work").text)
    assert client.post("/work", data=form | {"text": "[Jaws] " + "a" * 2**20}).status_code == 413
    body = "&".join(f"{name}={value}" for name, value in form.items()).encode() + b"&text=" + b"a" * 2**20
    kind = {"content-type": "application/x-www-form-urlencoded"}
    # Without a length, piece by piece.
    assert client.post("/work", content=iter([body]), headers=kind).status_code == 413
    # Short enough for a form, and too long for the field.
    long = client.post("/work", data=form | {"text": "[Jaws] " + "a" * 201})
    assert long.status_code == 422
    assert small.given("paraphrase") == []


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    with small_campaign(tmp_path, requests_per_second=0.2, burst=10) as small:
        client, other = small.browser(small.add()), small.browser(small.add())
        answers = [client.get("/instructions") for _ in range(50)]
        refused = [each for each in answers if each.status_code == 429]
        assert len(refused) >= 20
        assert int(refused[0].headers["retry-after"]) >= 1
        assert other.get("/work").status_code == 200
        # Who makes up a new cookie each time is counted by the address.
        stranger = small.browser()
        made_up = [stranger.get("/work", headers={"cookie": f"worker={k:032}"}).status_code for k in range(50)]
        assert made_up.count(429) >= 20


def test_anothers_item(small: Small) -> None:
    mine, theirs = small.browser(small.add()), small.browser(small.add())
    for _ in range(3):
        answer(mine)
    page = mine.get("/work").text
    picture = re.findall(r'<img src="([^"]+)"', page)[0]
    form = hidden(page) | ANSWERS["validate"]
    word = hidden(theirs.get("/work").text)
    assert theirs.post("/work", data=form | {"_csrf": word["_csrf"]}).status_code == 403
    assert theirs.post("/draft", data=form | {"_csrf": word["_csrf"]}).status_code == 403
    assert theirs.get(picture).status_code == 404
    assert theirs.get("/decide").status_code == 403
    assert theirs.post("/decide", data=word | {"_item": "v", "decision": "accept"}).status_code == 403
    assert small.given("validate") == []
    assert mine.get(picture).status_code == 200


@pytest.mark.parametrize(
    "assignment", ["", "x", "1 form b", "9999 form b i", "1 nothing b i", "1 form b i", "-1 form b i"]
)
def test_made_up_assignments(many: Small, assignment: str) -> None:
    client = many.browser(many.add())
    form = hidden(client.get("/work").text) | {"asked": "yes", "_assignment": assignment}
    assert client.post("/work", data=form).status_code in (400, 403)


def test_items_that_name_no_picture_of_the_campaign(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    for vector in ("vector.svg", "vector.png"):
        (folder / vector).write_bytes(b'<svg xmlns="http://www.w3.org/2000/svg"/>')
    names = ("../secret.png", "link.png", "vector.svg", "vector.png", "/etc/passwd", "none.png", "a.png")
    items = [{"item": name, "task": "validate", "show": {"pictures": [name], "question": name}} for name in names]
    statuses = {}
    with small_campaign(folder, items=items) as small:
        client = small.browser(small.add())
        for _ in names:
            page = client.get("/work").text
            url = re.findall(r'<img src="([^"]+)"', page)[0]
            statuses[re.findall(r'<p class="text" dir="auto">([^<]+)<', page)[0]] = client.get(url).status_code
            for other in (
                url.replace("/0/", "/1/"),
                url.replace("/pictures/", "/question/"),
                "/picture/pictures/0/..%2fx",
            ):
                assert client.get(other).status_code == 404
            answer(client)
    assert statuses == dict.fromkeys(names, 404) | {"a.png": 200}


@pytest.mark.parametrize(
    "path", ["/static/../app.css", "/static/x/app.css", "/nothing", "/static/%2e%2e/site.py", "/.env"]
)
def test_no_other_files_are_given_out(many: Small, path: str) -> None:
    assert many.browser().get(path).status_code == 404


def test_other_methods_and_kinds_of_forms(many: Small) -> None:
    client = many.browser(many.add())
    form = hidden(client.get("/work").text)
    assert client.put("/work", data=form).status_code == 405
    assert client.post("/work", json=form).status_code == 415
    assert client.post("/work", files={"_csrf": form["_csrf"]}).status_code == 415
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for body in (b"a=%FF", b"a=%00", "ä=1".encode(), b"&".join(b"a=1" for _ in range(600))):
        assert client.post("/work", content=body, headers=kind).status_code == 400


# -- what is shown -----------------------------------------------------------------------------------------------------


def test_markup_in_any_field_is_text(small: Small) -> None:
    client = small.browser(small.add(agreed=False))
    pages = [client.get("/consent").text]
    client.post("/consent", data=hidden(pages[0]))
    pages.append(client.get("/survey").text)
    client.post("/survey", data=hidden(pages[1]))
    pages.append(client.get("/instructions").text)
    for _ in range(4):
        pages.append(client.get("/work").text)
        if task_of(pages[-1]) == "paraphrase":
            pages.append(answer(client, {"text": f"</textarea>{MARKUP}"}).text)
        answer(client)
    pages.append(client.get("/work").text)
    shown = [page.count("&lt;script&gt;") for page in pages]
    assert all(shown), shown
    for page in pages:
        scripts = re.findall(r"<script[^>]*>", page)
        assert scripts == [f'<script src="{scripts[0].split(chr(34))[1]}" defer>']
        assert "</textarea>&lt;" not in page
        assert not re.search(r"<[^>]+ (style|on[a-z]+)=", page)


def test_headers_of_every_answer(many: Small) -> None:
    client = many.browser(many.add())
    for path in ("/", "/work", "/nothing", "/decide", "/favicon.ico"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
    assert client.get("/work").headers["cache-control"] == "no-store"


def test_secrets_are_neither_stored_nor_logged(small: Small, caplog: pytest.LogCaptureFixture) -> None:
    token = small.add()
    with caplog.at_level(logging.DEBUG):
        client = small.browser(token)
        form = hidden(client.get("/work").text)
        client.post("/work", data=form | {"asked": "yes"})
        client.get(f"/nothing/{token}?worker={token}")
        client.get("/enrol", params={"worker": "outer-id-1"})
    lines = [record.getMessage() for record in caplog.records if record.name == "recombine.annotation"]
    assert [line.rsplit(" ", 3)[0] for line in lines] == [
        "GET /join/{secret}", "GET /work", "POST /work", "GET (no such page)", "GET /enrol",
    ]  # fmt: skip
    stored = b"".join(path.read_bytes() for path in small.folder.glob("campaign.db*"))
    for secret in (token, form["_csrf"]):
        assert secret not in "\n".join(lines)
        assert secret.encode() not in stored
    assert "outer-id-1" not in "\n".join(lines)


def test_over_tls_the_cookie_is_tied_to_the_host_and_to_tls(tmp_path: Path) -> None:
    address = address_of("0.0.0.0", 8000, public_url="https://annotate.example.org", behind_proxy=True)  # noqa: S104
    with Campaign.create(tmp_path / "campaign.db", check_flow(FLOW, "small"), name="small") as campaign:
        token = campaign.add_workers(["ann"])[0].token
        app = make_app(campaign, Settings(address))

        async def joined(host: str) -> httpx.Response:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=host) as client:
                return await client.get(f"/join/{token}")

        let_in = asyncio.run(joined("https://annotate.example.org"))
        assert asyncio.run(joined("https://other.example.org")).status_code == 421
    cookie = let_in.headers["set-cookie"]
    assert cookie == f"__Host-worker={token}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax; Secure"
    assert let_in.headers["strict-transport-security"] == "max-age=31536000"


def test_items_hold_all_kinds() -> None:
    assert {item["task"] for item in ITEMS} == {"form", "paraphrase", "names", "validate", "check"}
