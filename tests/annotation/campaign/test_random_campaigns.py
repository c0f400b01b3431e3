"""Campaigns in which anything happens in any order: what is stored follows from the responses at every step."""

from __future__ import annotations

import contextlib
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.campaign.records import Work
from recombine.annotation.tasks.read_flow import read_flow
from recombine.errors import CampaignError

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"check.batch.size": 4, "check.workers": 3, "paraphrase.until_valid": 2, "paraphrase.attempts": 4},
    {"check.batch.size": 3, "check.workers": 1, "check.batch.pause_after": 0, "paraphrase.until_valid": 1},
    {"check.batch.size": 3, "check.batch.reconsider": 0, "check.batch.grow": False, "paraphrase.attempts": 5},
    {"check.batch.controls": 0, "check.batch.size": 5, "check.workers": 2, "paraphrase.distinct": False},
    {"check.batch.reconsider": 2, "check.workers": 2, "check.batch.size": 4, "check.batch.pause_after": 1},
)


class Life:
    """A campaign and one random thing after the other."""

    def __init__(self, place: Path, seed: int, clock: Any, options: dict[str, Any], forms: int = 3) -> None:
        self.draw, self.clock = random.Random(seed), clock  # noqa: S311
        self.campaign = Campaign.create(
            place,
            read_flow("grailqa", changes=options),
            name="random",
            key=bytes(31) + bytes([seed % 256]),
            clock=clock,
        )
        lines: list[dict[str, Any]] = [
            {"item": f"f{k}", "task": "form", "show": {"graph_query": {"n": k}}} for k in range(2)
        ]
        lines += [{"item": f"q{k}", "task": "paraphrase", "show": {"question": f"who [B{k}]?"}} for k in range(forms)]
        self.campaign.add_items(lines)
        if self.campaign.flow.of("check").controlled:
            yes = {"same": "yes", "fluent": "yes"}
            shown = [{"canonical": f"c{k}", "question": f"d{k}"} for k in range(12)]
            answers = [yes if k % 2 else {**yes, "same": "no"} for k in range(12)]
            both = zip(shown, answers, strict=True)
            self.campaign.add_controls([{"task": "check", "show": show, "answer": said} for show, said in both])
        new = self.campaign.add_workers([f"w{k}" for k in range(7)])
        new += self.campaign.add_workers(["e1", "e2"], qualifications=("expert", "lead"))
        self.workers = [each.worker.id for each in new]
        for worker in self.workers:
            self.campaign.consent(worker)
        self.leads = self.workers[-2:]
        self.old: list[tuple[str, Work]] = []

    def step(self) -> None:
        kinds = ("work", "expire", "give_back", "adjudicate", "resume", "late", "refused", "pause")
        kind = self.draw.choices(kinds, (100, 2, 2, 3, 3, 3, 2, 1))[0]
        worker = self.draw.choice(self.workers)
        self.clock.now += self.draw.random() * 60
        getattr(self, f"do_{kind}")(worker)

    def do_work(self, worker: str) -> None:
        work = self.campaign.claim(worker)
        if not isinstance(work, Work):
            return
        self.old.append((worker, work))
        for each in work.assignments[work.done : work.done + self.draw.choice((1, 3, 10))]:
            if not each.answered:
                self.campaign.submit(worker, work.batch, each.item, self.said(work.task, each.show), round=work.round)

    def said(self, task: str, show: Any) -> dict[str, str]:
        def yes(chance: float) -> str:
            return "yes" if self.draw.random() < chance else "no"

        if task == "paraphrase":
            inside = show["question"].split("[")[1].split("]")[0]
            return {"paraphrase": f"text {self.draw.random()} [{inside}]"}
        if task == "canonical":
            return {"question": f"what {self.draw.random()} [it]?"}
        if task == "check":
            return {"same": yes(0.8), "fluent": yes(0.9)}
        return {name: yes(0.7) for name in (("asked",) if task == "form" else ("faithful", "fluent"))}

    def do_expire(self, _: str) -> None:
        self.clock.now += 31 * 60

    def do_give_back(self, worker: str) -> None:
        self.campaign.give_back(worker)

    def do_resume(self, worker: str) -> None:
        self.campaign.resume(worker)

    def do_pause(self, worker: str) -> None:
        self.campaign.pause(worker)

    def do_adjudicate(self, _: str) -> None:
        item = self.draw.choice(list(self.campaign.items()))
        with contextlib.suppress(CampaignError):
            self.campaign.adjudicate(self.draw.choice(self.leads), item.item, accepted=self.draw.random() < 0.5)

    def do_late(self, _: str) -> None:
        if self.old:
            worker, work = self.draw.choice(self.old)
            each = self.draw.choice(work.assignments)
            try:
                said = self.said(work.task, each.show)
                self.campaign.submit(worker, work.batch, each.item, said, round=work.round)
            except CampaignError:
                pass

    def do_refused(self, worker: str) -> None:
        work = self.campaign.claim(worker)
        if isinstance(work, Work):
            with pytest.raises(CampaignError):
                self.campaign.submit(worker, work.batch, work.next.item, {"nothing": "x"}, round=work.round)


def check_laws(campaign: Campaign, once: bool) -> None:
    """What holds for every campaign, read from the exported rows alone."""
    items = {item.item: item for item in campaign.items()}
    answered = defaultdict[tuple[str, str], set[str]](set)
    votes = Counter[str]()
    for row in campaign.responses():
        if row.reason != "adjudication":
            if row.task in ("check", "canonical_check"):
                assert row.worker != row.author
            if row.reason != "late":  # an item may come again to who let it run out
                answered[row.item, row.worker].add(row.batch)
            votes[row.item] += row.counted
    if once:
        assert all(len(batches) == 1 for batches in answered.values())
    for name, item in items.items():
        task = campaign.flow.of(item.task)
        assert votes[name] == item.votes <= (task.attempts or task.slots)
        if task.makes:
            assert item.valid + item.pending + item.leased <= task.slots
            assert item.state != "complete" or item.valid == task.slots
            assert item.state != "exhausted" or (item.votes == task.attempts and item.valid < task.slots)
        else:
            assert item.votes + item.leased <= task.slots


@pytest.mark.parametrize("options", [1, 2, 4, 5])
def test_what_is_stored_is_what_follows_from_the_responses(tmp_path: Path, clock: Any, options: int) -> None:
    check_life(tmp_path, clock, seed=1, options=OPTIONS[options], steps=130, forms=4)


@pytest.mark.slow
@pytest.mark.parametrize("options", range(len(OPTIONS)))
@pytest.mark.parametrize("seed", range(2, 6))
def test_it_is_so_in_longer_campaigns(tmp_path: Path, clock: Any, seed: int, options: int) -> None:
    check_life(tmp_path, clock, seed=seed, options=OPTIONS[options], steps=500, forms=10)


def check_life(tmp_path: Path, clock: Any, *, seed: int, options: dict[str, Any], steps: int, forms: int) -> None:
    """Live a campaign, and compare on the way."""
    life = Life(tmp_path / "c.db", seed, clock, options, forms)
    with life.campaign as campaign:
        for step in range(steps):
            life.step()
            if step % 13 == 0:
                assert campaign.recompute() == []
        assert campaign.recompute() == []
        check_laws(campaign, once="paraphrase.distinct" not in options)
        assert campaign.verify_log().holds
        assert sum(1 for _ in campaign.responses()) > 40


def test_the_same_inputs_in_the_same_order_give_the_same_bytes(tmp_path: Path, new_clock: Callable[[], Any]) -> None:
    said = []
    for name in ("a", "b"):
        life = Life(tmp_path / f"{name}.db", 5, new_clock(), OPTIONS[1])
        with life.campaign as campaign:
            for _ in range(50):
                life.step()
            rows = [repr(row) for row in campaign.responses()] + [repr(item) for item in campaign.items()]
            said.append("\n".join(rows + [repr(verdict) for verdict in campaign.verdicts()]))
            said[-1] += campaign.verify_log().head
    assert said[0] == said[1]


def test_recomputing_sees_what_was_changed(tmp_path: Path, clock: Any) -> None:
    """Laws that always hold would prove nothing: a vote, a verdict and a count that are changed are seen."""
    import sqlite3

    life = Life(tmp_path / "c.db", 1, clock, OPTIONS[2])
    with life.campaign as campaign:
        for _ in range(120):
            life.step()
    for change in (
        "update items set votes = votes + 1 where state = 'accepted'",
        "update items set open = open + 1 where state = 'open'",
        "update verdicts set state = 'rejected' where state = 'accepted'",
        """update verdicts set shares = '{"same":0.5}' where item in (select id from items where task = 'check')
        and "by" = ''""",
        "update batches set state = 'passed' where state = 'set_aside'",
    ):
        copy = tmp_path / "copy.db"
        copy.unlink(missing_ok=True)
        with Campaign.open(tmp_path / "c.db") as campaign:
            campaign.backup(copy)
        connection = sqlite3.connect(copy)
        assert connection.execute(change).rowcount > 0, change
        connection.commit()
        connection.close()
        with Campaign.open(copy) as changed:
            assert changed.recompute(), change
