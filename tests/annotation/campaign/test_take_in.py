"""Answers from outside: under the same rules, and the same ones again change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.campaign.records import Work

Make, Add = Callable[..., Campaign], Callable[..., list[str]]
YES = {"same": "yes", "fluent": "yes"}


@pytest.fixture
def campaign(new_campaign: Make, add: Add) -> Campaign:
    """A form with one text by ann, and bob who has judged nothing."""
    made = new_campaign(check__workers=2)
    fill(made)
    add(made, "ann", "bob")
    return made


def fill(campaign: Campaign) -> None:
    campaign.add_items([{"item": "q", "task": "paraphrase", "show": {"question": "who wrote [Jaws]?"}}])
    show = [{"canonical": f"c{k}", "question": f"d{k}"} for k in range(6)]
    campaign.add_controls([{"task": "check", "show": each, "answer": YES} for each in show])


def text(worker: str, said: str = "by whom is [Jaws]?") -> dict[str, Any]:
    return {"item": "q", "worker": worker, "answer": {"paraphrase": said}, "at": "2026-01-31T12:00:00.000Z"}


def test_answers_come_in_and_are_counted(campaign: Campaign) -> None:
    taken = campaign.take_in([text("ann"), text("new one", "[Jaws] is whose book?")])
    assert (taken.added, taken.repeated, taken.broken) == (2, 0, ())
    assert [(row.counted, row.at) for row in campaign.responses()] == [(True, "2026-01-31T12:00:00.000Z")] * 2
    assert campaign.worker_named("new one").kind == "person"
    checks = list(campaign.items(task="check"))
    assert [item.author for item in checks if not item.control] == [row.worker for row in campaign.responses()]
    assert campaign.recompute() == []
    assert campaign.verify_log().holds


def test_the_same_again_changes_nothing(campaign: Campaign) -> None:
    rows = [text("ann"), text("bob", "[Jaws] is whose book?")]
    campaign.take_in(rows)
    head = campaign.verify_log().head
    taken = campaign.take_in(rows)
    assert (taken.added, taken.repeated, campaign.verify_log().head) == (0, 2, head)


def test_what_breaks_a_rule_is_named_and_counted(campaign: Campaign) -> None:
    campaign.take_in([text("ann")])
    (check,) = [item.item for item in campaign.items(task="check") if not item.control]
    ann = campaign.worker_named("ann").id
    rows: list[dict[str, Any]] = [
        {"item": check, "worker": "ann", "answer": YES},
        {"item": check, "worker": ann, "answer": YES},
        {"item": check, "worker": campaign.pseudonym(ann), "answer": YES},
        text("ann", "whose is [Jaws]?"),
        text("bob", "whose?"),
        text("bob", "BY whom is [Jaws]"),
        {"item": "none", "worker": "bob", "answer": YES},
        {"item": "q", "worker": "bob"},
        {"item": check, "worker": "bob", "answer": {"same": "perhaps", "fluent": "no"}},
        {"item": check, "worker": "bob", "answer": YES, "at": "yesterday"},
        {"item": check, "worker": "bob", "answer": YES},
        {"item": check, "worker": "cid", "answer": YES},
        {"item": check, "worker": "dan", "answer": YES},
        {"item": check, "worker": "bob", "answer": {"accepted": "yes"}, "reason": "adjudication"},
    ]
    taken = campaign.take_in(rows, file="mine.jsonl")
    assert [each.reason for each in taken.broken] == [
        "own_text", "own_text", "own_text", "twice", "brackets_lost", "copy_of_pending", "unknown_item", "malformed",
        "not_an_option", "malformed", "no_slot", "not_a_lead",
    ]  # fmt: skip
    assert taken.counts["own_text"] == 3
    assert taken.broken[0].where == "mine.jsonl, row 1"
    assert taken.added == 2
    assert campaign.item(check).state == "accepted"
    assert campaign.recompute() == []


def test_a_campaign_goes_out_and_comes_back_into_a_new_one(campaign: Campaign, new_campaign: Make, add: Add) -> None:
    for name in ("cid", "dan"):
        add(campaign, name)
    workers = [worker.id for worker in campaign.workers()]
    known = {control.item: dict(control.expected) for control in campaign.controls()}
    for _ in range(12):
        for place, worker in enumerate(workers):
            work = campaign.claim(worker)
            if not isinstance(work, Work):
                continue
            for each in work.assignments:
                said = {"paraphrase": f"{place} [Jaws]"} if work.task == "paraphrase" else YES
                if each.item in known and worker == workers[2] and work.round == 1:
                    said = {**known[each.item], "same": "no"}
                campaign.submit(worker, work.batch, each.item, said, round=work.round)
    rows = [row.to_dict() for row in campaign.responses()]
    assert {row["reason"] for row in rows} == {"", "control", "revised"}
    other = new_campaign(check__workers=2)
    fill(other)
    taken = other.take_in(rows)
    assert (taken.broken, taken.added + taken.repeated) == ((), len(rows))
    assert [(v.item, v.state, v.shares) for v in other.verdicts()] == [
        (v.item, v.state, v.shares) for v in campaign.verdicts()
    ]
    assert other.recompute() == []
