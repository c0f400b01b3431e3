"""The same rules on Postgres, with two processes that work on one store at the same time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.tasks.read_flow import read_flow
from recombine.errors import StoreError

pytestmark = pytest.mark.slow
FORMS, WORKERS = 6, 16
PROCESS = """
import json, random, sys, threading, time
from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.campaign.records import NoWork

campaign = Campaign.open(sys.argv[1])
controls = {control.item: dict(control.expected) for control in campaign.controls()}
acknowledged, faults = [], []

def work(worker):
    draw, idle = random.Random(worker), 0
    try:
        while idle < 30:
            held = campaign.claim(worker)
            if isinstance(held, NoWork):
                idle += 1
                time.sleep(0.1)
                continue
            idle, each = 0, held.next
            if held.task == "paraphrase":
                inside = each.show["question"].split("[")[1].split("]")[0]
                said = {"paraphrase": f"{worker} says [{inside}]"}
            else:
                said = controls.get(each.item) or {"same": draw.choice(["yes"] * 9 + ["no"]), "fluent": "yes"}
            receipt = campaign.submit(worker, held.batch, each.item, said, round=held.round)
            acknowledged.append(receipt.response)
    except Exception as error:
        faults.append(repr(error))

threads = [threading.Thread(target=work, args=(worker,)) for worker in sys.argv[2:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
campaign.close()
print(json.dumps({"acknowledged": acknowledged, "faults": faults}))
"""


def filled(place: str | Path) -> Campaign:
    options = {"check.batch.size": 4, "check.workers": 3, "paraphrase.until_valid": 3, "paraphrase.attempts": 8}
    campaign = Campaign.create(place, read_flow("grailqa", changes=options), name="two", key=b"k" * 32)
    lines = [{"item": f"q{k}", "task": "paraphrase", "show": {"question": f"who [B{k}]?"}} for k in range(FORMS)]
    campaign.add_items(lines)
    yes = {"same": "yes", "fluent": "yes"}
    shown = [{"canonical": f"c{k}", "question": f"d{k}"} for k in range(40)]
    campaign.add_controls([{"task": "check", "show": show, "answer": yes} for show in shown])
    for new in campaign.add_workers([f"w{k}" for k in range(WORKERS)]):
        campaign.consent(new.worker.id)
    return campaign


def live(place: str | Path) -> list[str]:
    """Let two processes work to the end; what they were given receipts for."""
    with filled(place) as campaign:
        workers = [worker.id for worker in campaign.workers()]
        source = str(Path(__file__).parents[3] / "src")
        command = [sys.executable, "-c", PROCESS, str(place)]
        both = [
            subprocess.Popen(
                [*command, *workers[half::2]],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": source},
            )
            for half in (0, 1)
        ]
        said = [process.communicate(timeout=300) for process in both]
        assert [process.returncode for process in both] == [0, 0], said
        results = [json.loads(out) for out, _ in said]
        assert [result["faults"] for result in results] == [[], []]
        check(campaign)
        return [*results[0]["acknowledged"], *results[1]["acknowledged"]]


def check(campaign: Campaign) -> None:
    assert campaign.recompute() == []
    assert campaign.verify_log().holds
    for item in campaign.items(task="paraphrase"):
        assert (item.state, item.valid) == ("complete", 3) or item.state == "exhausted"
    judged = Counter((row.item, row.worker) for row in campaign.responses() if row.revision == 1)
    assert set(judged.values()) == {1}
    assert all(row.worker != row.author for row in campaign.responses() if row.task == "check")
    assert all(item.votes == 3 for item in campaign.items(task="check") if not item.control)


def test_two_processes_on_postgres(postgres: Callable[[], str]) -> None:
    place = postgres()
    acknowledged = live(place)
    with Campaign.open(place) as campaign:
        assert sorted(acknowledged) == sorted(row.response for row in campaign.responses())
        with pytest.raises(StoreError, match="use pg_dump"):
            campaign.backup("copy.db")


def test_two_processes_on_sqlite(tmp_path: Path) -> None:
    acknowledged = live(tmp_path / "c.db")
    with Campaign.open(tmp_path / "c.db") as campaign:
        assert sorted(acknowledged) == sorted(row.response for row in campaign.responses())


def test_a_database_that_has_a_campaign_or_none_or_is_not_there(postgres: Callable[[], str]) -> None:
    place = postgres()
    with pytest.raises(StoreError, match="no campaign can be read there"):
        Campaign.open(place)
    filled(place).close()
    with pytest.raises(StoreError, match="a campaign in this database already"):
        filled(place)
    with pytest.raises(StoreError) as caught:
        Campaign.open("postgresql://ann:secret@127.0.0.1:1/none")
    assert "secret" not in str(caught.value)
